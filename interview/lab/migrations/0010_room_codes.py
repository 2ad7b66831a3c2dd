from django.db import migrations, models

import interview.lab.rooms.code


class Migration(migrations.Migration):
    dependencies = [("lab", "0009_gathering")]

    operations = [
        migrations.AddField(
            model_name="room",
            name="names_removed_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AlterField(
            model_name="room",
            name="code",
            field=models.CharField(
                default=interview.lab.rooms.code.new_code, max_length=10
            ),
        ),
        migrations.AddConstraint(
            model_name="room",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at", None)),
                fields=("code",),
                name="one_open_room_per_code",
            ),
        ),
    ]
