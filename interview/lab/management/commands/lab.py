import asyncio
import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from interview.lab.endpoint import Endpoint
from interview.measure.client import client
from interview.measure.errors import UsageError
from interview.measure.examination import Finding, examine
from interview.measure.target import target

SILENCE_S = 30.0


class Command(BaseCommand):
    help = (
        "`manage.py lab check` asks the endpoint for all that the lab needs and says "
        "on a line each what is wrong and what to do. Status 0 when all is well."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=["check"])

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.LAB_URL:
            raise CommandError(
                "No endpoint is set: LAB_URL=http://spark.local:8000 names one. "
                "Without it `manage.py up` starts the simulated DGX Spark."
            )
        findings = asyncio.run(self.findings())
        if not all(finding.is_ok for finding in findings):
            sys.exit(1)

    async def findings(self) -> list[Finding]:
        try:
            asked = target(
                settings.LAB_URL,
                settings.LAB_MODEL,
                api_key=settings.LAB_API_KEY,
                extra_body=Endpoint.current().extra_body,
            )
        except UsageError as wrong:
            raise CommandError(str(wrong)) from wrong
        findings = []
        async with client(time.perf_counter_ns, SILENCE_S) as http:
            async for finding in examine(http, asked, time.perf_counter_ns):
                findings.append(finding)
                self.say(finding, asked.without_key(finding.said) or "")
        return findings

    def say(self, finding: Finding, said: str) -> None:
        mark = "ok" if finding.is_ok else "wrong"
        self.stdout.write(f"{mark:<6} {finding.what:<10} {said}")
        if finding.todo:
            self.stdout.write(f"{'':<17} {finding.todo}")
