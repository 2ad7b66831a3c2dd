from django.db import migrations, models

from interview.lab.results.figures import figures_of
from interview.lab.runs.spec import Spec


def fill_figures(apps, schema_editor):
    """Runs that ended before figures were kept get theirs from their reports."""
    run = apps.get_model("lab", "Run")
    without = run.objects.filter(figures__isnull=True, report__isnull=False)
    for pk in list(without.values_list("pk", flat=True)):
        spec, report = run.objects.values_list("spec", "report").get(pk=pk)
        if report:
            figures = figures_of(report, Spec.from_json(spec))
            run.objects.filter(pk=pk).update(figures=figures)


class Migration(migrations.Migration):
    dependencies = [
        ("lab", "0005_fair_queue"),
    ]

    operations = [
        migrations.AlterField(
            model_name="prediction",
            name="metric",
            field=models.CharField(max_length=60),
        ),
        migrations.RunPython(fill_figures, migrations.RunPython.noop, elidable=True),
    ]
