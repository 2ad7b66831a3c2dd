from .event import RunEvent
from .prediction import Metric, Prediction
from .run import Run
from .runs import Kind, Status
from .worker import Worker

__all__ = ["Kind", "Metric", "Prediction", "Run", "RunEvent", "Status", "Worker"]
