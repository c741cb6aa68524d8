"""The Review page: a game of Catan looked back on."""

from __future__ import annotations

from fastapi import Request

from kibitz.catan.pages.review.desk import Reviews
from kibitz.catan.pages.review.page import ReviewPage
from kibitz.web.layout import Link, frame, page_at
from kibitz.web.services import Services

LINK: Link | None = Link(
    "/review",
    "Review",
    "show_chart",
    "Look back on a game: everybody's chances turn by turn, and the moves that cost most.",
    opens={"review": "/review?game="},
)


def register(services: Services) -> None:
    """Make the page known."""
    reviews = Reviews(services)

    @page_at("/review")
    async def review(request: Request) -> None:
        with frame("Review", "/review"):
            page = ReviewPage(services, reviews)
        await page.begin(dict(request.query_params))
