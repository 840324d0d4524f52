"""Two servers that nobody here wrote, in one process: Debian's Django OAuth Toolkit and FastAPI's own OAuth 2.0 classes.

Both serve on a free port of 127.0.0.1, print it, and end when their standard input does. Users and applications are made
at the start; the toolkit's authorization dialog is answered by a middleware that signs the user in.
"""

import json
import logging
import os
import socket
import sys
import threading
from datetime import datetime, timezone
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
import uvicorn
from django.conf import settings
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import OAuth2PasswordBearer, OAuth2PasswordRequestForm

USERNAME, PASSWORD = "ada", "correct horse"
SECRET = "dj secret+/&=%"
REDIRECT_URI = "http://127.0.0.1/callback"


def weather(base_url):
    """One point, as docs/interface.md has it."""
    return {
        "objects": [
            {
                "timestamp": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S"),
                "weather": {"status": "sunny"},
                "geo": {"type": "Point", "coordinates": [7.6869, 45.0703]},
                "icon": base_url + "/v2/icons/sunny",
                "sun_altitude": 12.5,
                "sources": [],
            }
        ],
        "meta": {},
    }


class Quiet(WSGIRequestHandler):
    def log_message(self, *arguments):
        pass


class SignIn:
    """Stands for the toolkit's login page: the user is there already."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        from django.contrib.auth import get_user_model

        request.user = get_user_model().objects.get(username=USERNAME)
        return self.get_response(request)


def configure_django():
    apps = ["django.contrib.auth", "django.contrib.contenttypes", "oauth2_provider"]
    settings.configure(
        ALLOWED_HOSTS=["127.0.0.1"],
        AUTH_PASSWORD_VALIDATORS=[],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        INSTALLED_APPS=apps,
        LOGGING_CONFIG=None,
        MIDDLEWARE=[__name__ + ".SignIn"],
        # The tables are made from the models, which is quicker than from their history.
        MIGRATION_MODULES={name.rsplit(".", 1)[-1]: None for name in apps},
        OAUTH2_PROVIDER={"SCOPES": {"post_metag": "post metags"}, "ROTATE_REFRESH_TOKEN": True},
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        ROOT_URLCONF=__name__,
        SECRET_KEY="only for tests",
        USE_TZ=True,
    )
    django.setup()


def make_urls():
    from django.http import JsonResponse
    from django.urls import path
    from oauth2_provider.decorators import protected_resource
    from oauth2_provider.views import AuthorizationView, RevokeTokenView, TokenView

    @protected_resource()
    def forecast(request):
        return JsonResponse(weather(request.build_absolute_uri("/").rstrip("/")))

    @protected_resource()
    def monitors(request):
        return JsonResponse({"objects": [], "meta": {}})

    return [
        path("oauth/authorize/", AuthorizationView.as_view()),
        path("token/", TokenView.as_view()),
        path("revoke/", RevokeTokenView.as_view()),
        path("v2/weather/", forecast),
        path("v2/monitors/", monitors),
    ]


def fill_database():
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from oauth2_provider.models import Application

    call_command("migrate", run_syncdb=True, verbosity=0)
    user = get_user_model().objects.create_user(USERNAME, password=PASSWORD)
    # The toolkit gives each application one grant.
    for client_id, client_type, grant in (
        ("public-code", Application.CLIENT_PUBLIC, Application.GRANT_AUTHORIZATION_CODE),
        ("code", Application.CLIENT_CONFIDENTIAL, Application.GRANT_AUTHORIZATION_CODE),
        ("implicit", Application.CLIENT_CONFIDENTIAL, Application.GRANT_IMPLICIT),
        ("password", Application.CLIENT_CONFIDENTIAL, Application.GRANT_PASSWORD),
        ("credentials", Application.CLIENT_CONFIDENTIAL, Application.GRANT_CLIENT_CREDENTIALS),
    ):
        Application.objects.create(
            name=client_id,
            client_id=client_id,
            client_secret="" if client_type == Application.CLIENT_PUBLIC else SECRET,
            client_type=client_type,
            authorization_grant_type=grant,
            redirect_uris=REDIRECT_URI,
            skip_authorization=True,
            user=user,
        )


def serve_django(tell):
    global urlpatterns
    configure_django()
    urlpatterns = make_urls()
    # The database in memory belongs to this thread.
    fill_database()
    from django.core.wsgi import get_wsgi_application

    server = make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet)
    tell(server.server_port)
    server.serve_forever()


def fastapi_app():
    app = FastAPI()
    bearer = OAuth2PasswordBearer(tokenUrl="token/")

    @app.post("/token/")
    async def token(form: OAuth2PasswordRequestForm = Depends()):
        if (form.username, form.password) != (USERNAME, PASSWORD):
            raise HTTPException(status_code=400, detail="Incorrect username or password")
        return {"access_token": "fastapi-token", "token_type": "bearer"}

    @app.get("/v2/weather/")
    async def forecast(location_lat: float, location_lng: float, token: str = Depends(bearer)):
        if token != "fastapi-token":
            raise HTTPException(status_code=401, detail="Invalid authentication credentials")
        return weather("http://127.0.0.1")

    return app


def serve_fastapi(tell):
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    tell(listener.getsockname()[1])
    server = uvicorn.Server(uvicorn.Config(fastapi_app(), log_level="critical"))
    server.install_signal_handlers = lambda: None
    server.run(sockets=[listener])


def main():
    logging.disable(logging.CRITICAL)
    ports = {}
    is_ready = threading.Event()

    def teller(name):
        def tell(port):
            ports[name] = port
            if len(ports) == 2:
                is_ready.set()

        return tell

    def end_with(arguments):
        sys.excepthook(arguments.exc_type, arguments.exc_value, arguments.exc_traceback)
        os._exit(1)

    threading.excepthook = end_with
    for name, serve in (("django", serve_django), ("fastapi", serve_fastapi)):
        threading.Thread(target=serve, args=(teller(name),), daemon=True).start()
    is_ready.wait()
    print(json.dumps(ports), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
