from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("lab", "0010_room_codes")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="measuring_at",
            field=models.DateTimeField(null=True),
        ),
    ]
