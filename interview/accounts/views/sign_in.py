"""The door of a shared installation."""

from django.contrib.auth import authenticate, login, logout
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from interview.web.page import page

from ..access import in_shared_mode
from ..attempts import SIGN_IN, SIGN_IN_ADDRESS, Begun, Try, address_of, begin
from ..errors import TooManyAttempts
from ..forms import SignInForm
from ..limited import too_many
from ..names import key_of
from ..unlisted import unlisted
from ..user import User

WRONG = "This name and password do not belong together. Check both and try again."


@login_not_required
@unlisted
@in_shared_mode
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    goal = goal_of(request)
    if request.user.is_authenticated and request.method != "POST":
        return HttpResponseRedirect(goal)
    form = SignInForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            person = recognized(request, **form.cleaned_data)
        except TooManyAttempts as refused:
            form.add_error(None, str(refused))
            return too_many(refused, draw(request, form, goal))
        if person:
            login(request, person)
            return HttpResponseRedirect(goal, status=303)
        form.add_error(None, WRONG)
    return draw(request, form, goal)


def draw(request: HttpRequest, form: SignInForm, goal: str) -> HttpResponse:
    context = {"form": form, "next": goal}
    status = 422 if form.is_bound else 200
    return page(request, "accounts/sign_in.html", context, status=status)


def recognized(request: HttpRequest, name: str, password: str) -> User | None:
    """The person, or None for every kind of mistake alike; may raise TooManyAttempts.

    The attempt is counted before the password is looked at, which takes long.
    """
    attempt = attempt_at(request, name)
    person = authenticate(request, username=name, password=password)
    if not isinstance(person, User):
        return None
    attempt.was_right()
    return person


def attempt_at(request: HttpRequest, name: str) -> Begun:
    where = Try(SIGN_IN_ADDRESS, address_of(request))
    return begin(timezone.now(), own_try(request, name), where)


def own_try(request: HttpRequest, name: str) -> Try:
    """At the password of now: nobody has guessed at a new one yet, wherever it is."""
    key = key_of(name)
    people = User.objects.filter(name_key=key)
    password = people.values_list("password", flat=True).first() or ""
    return Try(SIGN_IN, f"{address_of(request)} {key} {password}")


def goal_of(request: HttpRequest) -> str:
    """Where the person wanted to go: a path of this site, else the front page."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    ours = wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, None)
    return wanted if ours else reverse("home")


@login_not_required
@unlisted
@in_shared_mode
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return HttpResponseRedirect(reverse("accounts:sign_in"), status=303)
