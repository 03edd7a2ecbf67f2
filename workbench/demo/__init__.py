"""The demos: a day of one person, consent, and a race."""
