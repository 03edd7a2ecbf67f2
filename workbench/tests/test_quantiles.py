"""Tests of the quantiles."""
import unittest

from workbench.quantiles import quantile


class QuantileTests(unittest.TestCase):
    def test_quantile_is_a_measured_value(self):
        self.assertEqual(quantile([1, 2, 10], 0.5), 2)
        self.assertEqual(quantile([4, 1, 3, 2], 0.5), 2)

    def test_high_quantile_of_few_values_is_their_maximum(self):
        self.assertEqual(quantile([3, 1, 2], 0.99), 3)

    def test_binary_rounding_does_not_add_a_rank(self):
        self.assertEqual(quantile(range(1, 101), 0.95), 95)
        self.assertEqual(quantile(range(1, 21), 0.95), 19)

    def test_single_value_is_each_quantile(self):
        self.assertEqual([quantile([7], share) for share in (0.0, 0.5, 1.0)], [7, 7, 7])
