"""Logs of colonist.io: chat, saved page, captured messages, replay."""
