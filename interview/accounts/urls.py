"""Addresses of people: the door, links with a key in them, one's account, the list."""

from django.urls import path

from .views import account, links, people, sign_in

app_name = "accounts"
urlpatterns = [
    path("sign-in/", sign_in.sign_in, name="sign_in"),
    path("sign-out/", sign_in.sign_out, name="sign_out"),
    path("invitations/<slug:token>/", links.invitation, name="invitation"),
    path("password/<slug:token>/", links.password, name="password"),
    path("account/", account.account, name="account"),
    path("account/password/", account.change_password, name="change_password"),
    path("account/sessions/end/", account.end_sessions, name="end_sessions"),
    path("account/sessions/<uuid:key>/end/", account.end_session, name="end_session"),
    path("people/", people.people, name="people"),
    path("people/invitations/<uuid:key>/revoke/", people.revoke, name="revoke"),
    path("people/<uuid:key>/role/", people.role, name="role"),
    path("people/<uuid:key>/active/", people.active, name="active"),
    path("people/<uuid:key>/password/", people.password_link, name="password_link"),
]
