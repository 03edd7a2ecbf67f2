"""The gateway's settings for the demo: one house, one person, and her wearables."""
from workbench import gateway_settings as settings
from workbench.demo.wearables import BUTTON, WEARABLES
from workbench.issuer import Issuer

GATEWAY, PERSON, NAME = 'demo-house', 'maria', 'Maria Rossi'
AMBULANCE = 'ambulance'
ISSUER = 'ambulance-service'   # signs the acceptances of calls


def write_settings(directory, addresses, ambulance, sound):
    """Writes gateway.toml for the parts at `addresses` and an ambulance service, and returns its path.

    The house writes its sounds into the directory `sound`. The key of the ambulance service lies beside the settings.
    """
    (directory / 'state').mkdir(mode=0o700)
    path = directory / 'gateway.toml'
    issuer = Issuer(directory)
    text = (
        settings.house(
            GATEWAY, directory, addresses['broker_port'], unsigned_acceptances=False, wav_directory=str(sound))
        + settings.command_issuer(ISSUER, issuer.jwks, may=[])
        + settings.section('[bluetooth]', bus=addresses['bus'])
        + settings.section('[gpsd]', port=addresses['gpsd_port'])
        + settings.section('[[channel]]', id=AMBULANCE, type='https', url=ambulance, addresses=['118-milano'])
        + settings.person(PERSON, NAME, call='side-by-side', channels=['mqtt', AMBULANCE]))
    for row in WEARABLES:
        signals = {'button': 'sos-button'} if row['id'] == BUTTON else {}
        text += settings.wearable(row['id'], row['address'], PERSON, signals)
    path.write_text(text, encoding='utf-8')
    return path
