"""Games that are followed from their logs, in the pages and through the API."""
