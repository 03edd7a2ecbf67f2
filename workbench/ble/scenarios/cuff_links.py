"""A bonded cuff that gives one result on each link, and deletes it once it is confirmed: none may be lost."""
from workbench.ble.scenarios.guest_house import play
from workbench.ble.scenarios.links import LINKS, arrives, compare

CUFF = {'id': 'cuff', 'kind': 'blood_pressure', 'name': 'RIG cuff', 'address': 'C0:00:00:00:06:01', 'script': [],
        'person': 'person-1', 'security': 'just_works', 'listed': False}
RESTARTS = 5


async def scenario(house, report):
    sent: list[float] = []

    def got():
        return [round(e['value'], 1) for e in house.readings('cuff', kind='systolic-pressure')]

    async def measure(is_eager):
        """One link with one result. Returns when the result has arrived or is lost, and the link has ended."""
        sent.append(round(100 + len(sent) * 0.1, 1))   # each result is another
        value = {'systolic': sent[-1], 'diastolic': 80, 'map': 90, 'pulse': 66, 'exp': -1}
        ended = len(house.of('disconnected', 'cuff'))
        await house.stack.air('measure', id='cuff', value=value, is_eager=is_eager)
        await house.until(lambda: len(house.of('disconnected', 'cuff')) > ended, 'the cuff has given its result')
        await arrives(house, lambda: sent[-1] in got())

    def compare_all():
        compare(sent, got())
        report.figure('results', f'{len(sent)} links, 0 lost')

    async with report.rule('a cuff is paired'):
        said = await house.succeed(
            'devices', 'pair', CUFF['address'], '--id', 'cuff', '--person', CUFF['person'])
        assert 'watched from now on' in said, said
        await house.subscription('cuff', char='2a35')
        await house.stack.air('advertise', id='cuff', on=False)
        await house.stack.air('disconnect', id='cuff')
        await house.until(lambda: house.of('disconnected', 'cuff'), 'it is away')

    async with report.rule(f'{LINKS} links, the result after the subscription or before any request: each comes once'):
        for number in range(LINKS):
            await measure(is_eager=number % 2 == 1)
        compare_all()

    async with report.rule(f'{RESTARTS} kills of the gateway while the cuff is away: the next result, sent before '
                           'any request, comes once'):
        for _ in range(RESTARTS):
            await house.kill_gateway()
            await house.start_gateway()
            await measure(is_eager=True)
        compare_all()

    async with report.rule('bluetoothd is killed and started while the cuff is away: the next results come once'):
        await house.stack.kill_bluetoothd()
        await house.stack.start_bluetoothd()
        for is_eager in (False, True):
            await measure(is_eager)
        compare_all()


play([CUFF], scenario)
