"""The ambulance service at the other end of the broker, for scenarios of several days."""

HOUR_S = 3600


class Service:
    """Accepts each call at once while it is `there`.

    `taken`: the accepted alarms in their order. A month has tens of thousands of messages, so each is read once.
    """

    def __init__(self, house, person):
        self.house, self.topic = house, f'trackme/v1/house/sos/{person}'
        self.taken, self.looked_at, self.calls = [], 0, []
        self.there = True

    async def work(self):
        while True:
            alarm = await self.house.until(self.untaken, 'a call', seconds=60 * 24 * HOUR_S)
            await self.house.publish(f'{self.topic}/accepted', {'alarm': alarm, 'by': 'the service'})
            self.taken.append(alarm)

    def untaken(self):
        for message in self.house.broker[self.looked_at:]:
            if message['topic'] == self.topic:
                self.calls.append(message)
        self.looked_at = len(self.house.broker)
        if not self.there:
            return None
        newest = {m['alarm']: m['state'] for m in self.calls}
        return next((a for a, state in newest.items() if state == 'confirmed' and a not in self.taken), None)

    def come(self):
        self.there = True
        self.house.told.set()
