"""Kibitz in the browser: pages and a JSON API, on this machine. ``kibitz web`` starts it (see ``docs/web.md``)."""
