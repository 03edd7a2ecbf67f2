"""Delivery while nodes of a RabbitMQ cluster are killed."""
