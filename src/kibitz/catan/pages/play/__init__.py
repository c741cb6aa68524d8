"""The Play page: Catan against bots, with a kibitzer at the shoulder."""
