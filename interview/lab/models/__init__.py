from .event import RunEvent
from .prediction import Metric, Prediction
from .run import Run
from .runs import Status
from .worker import Worker

__all__ = ["Metric", "Prediction", "Run", "RunEvent", "Status", "Worker"]
