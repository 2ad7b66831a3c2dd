from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("lab", "0011_measuring_at")]

    operations = [
        migrations.AddField(
            model_name="roomseat",
            name="has_left",
            field=models.BooleanField(null=True),
        ),
    ]
