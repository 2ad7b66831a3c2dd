"""The manual beside a run: `{% manual_cells manual run.figures as rows %}`."""

from django import template

from interview.lab.experiments.measured_before import manual_cells

register = template.Library()

register.simple_tag(manual_cells)
