import types
import unittest

from workbench.ble.scenarios import arrivals

END = 10_000_000_000


def message(number, read_ns, topic='trackme/v1/house/samples/maria/heart-rate'):
    return {'id': f'm-{number}', 'topic': topic, 'value': number, 'read_ns': read_ns}


class Completeness(unittest.TestCase):
    def test_takes_values_in_order_and_once(self):
        due = [(150, False), (150, False), (55, False)]
        self.assertTrue(arrivals.is_complete(due, [150, 150, 55]))
        for got in [150, 55], [150, 150, 150, 55], [150, 55, 150], [150, 150, 55, 56], []:
            self.assertFalse(arrivals.is_complete(due, got), got)

    def test_forgives_only_what_was_in_flight(self):
        due = [(150, False), (150, True), (36.5, False)]
        self.assertTrue(arrivals.is_complete(due, [150, 36.5]))
        self.assertTrue(arrivals.is_complete(due, [150, 150, 36.5]))
        for got in [150, 150, 150, 36.5], [36.5], [150, 150]:
            self.assertFalse(arrivals.is_complete(due, got), got)


class Repeats(unittest.TestCase):
    def house(self, *broker):
        return types.SimpleNamespace(broker=list(broker), ends=[((END, END + 1), 2)])

    def test_one_after_an_end_is_dropped(self):
        house = self.house(message(1, END - 9), message(2, END - 9), message(2, END + 99), message(3, END + 99))
        self.assertEqual([m['value'] for m in arrivals.without_repeats(house)], [1, 2, 3])

    def test_one_without_an_end_is_told(self):
        for house in (self.house(message(1, END - 9), message(1, END - 8)),
                      self.house(message(0, 0), message(0, 0), message(2, END + 8), message(2, END + 9))):
            with self.assertRaisesRegex(AssertionError, 'came twice without an end'):
                arrivals.without_repeats(house)

    def test_one_of_a_message_that_was_acknowledged_long_before_is_told(self):
        with self.assertRaisesRegex(AssertionError, 'came twice'):
            arrivals.without_repeats(self.house(message(1, 0), message(2, 0), message(1, END + 9)))

    def test_another_content_under_the_same_id_is_told(self):
        broker = message(1, END - 9), message(2, END - 9), {**message(1, END + 9), 'value': 7}
        with self.assertRaisesRegex(AssertionError, 'one ID'):
            arrivals.without_repeats(self.house(*broker))


if __name__ == '__main__':
    unittest.main()
