import Testing
import Wearables

@testable import GatewayModel
@testable import Hub
@testable import Readings

@Suite struct `Supervision of a radio that hears nothing` {
    private static let deaf = [HealthCondition(.radioDeaf)]

    private let health = HealthBoard { _, _, _ in }

    private func hearing(
        scanners: Int = 1, isListening: Bool = true, isRegular: Bool = false
    ) -> RadioHearing {
        RadioHearing(scanners: scanners, health: health) {
            RadioHearing.Expectation(isListening: isListening, isRegular: isRegular)
        }
    }

    private func silent(_ hasHeard: Bool) -> HCIScanEvent { .silent(adapter: "hci0", hasHeard: hasHeard) }

    @Test func `is a fault where adverts were heard before, until the next advert`() {
        let hearing = hearing()
        hearing.note(silent(true), of: 0)
        #expect(health.conditions == Self.deaf)
        // A scan that runs proves nothing.
        hearing.note(.listening(adapter: "hci0", nil), of: 0)
        hearing.note(.scanning(adapter: "hci0"), of: 0)
        #expect(health.conditions == Self.deaf)
        hearing.note(.heardAgain(adapter: "hci0"), of: 0)
        #expect(health.conditions == [])
    }

    @Test func `is no fault in a house in which nothing advertises`() {
        hearing().note(silent(false), of: 0)
        #expect(health.conditions == [])
        hearing(isListening: false).note(silent(true), of: 0)
        #expect(health.conditions == [])
        hearing(isRegular: true).note(silent(false), of: 0)
        #expect(health.conditions == Self.deaf)
    }

    @Test func `begins anew with scanners that did not run, and leaves a scanner that cannot run as it is`() {
        let hearing = hearing()
        hearing.note(silent(true), of: 0)
        hearing.restart()
        #expect(health.conditions == [])
        let pair = self.hearing(scanners: 2)
        pair.fail(1)
        pair.restart()
        pair.note(silent(true), of: 0)
        #expect(health.conditions == Self.deaf)
    }

    @Test func `is a fault of all radios together`() {
        let hearing = hearing(scanners: 2)
        hearing.note(silent(true), of: 0)
        #expect(health.conditions == [])
        hearing.fail(1)
        #expect(health.conditions == Self.deaf)
        hearing.note(.scanning(adapter: "hci1"), of: 1)
        #expect(health.conditions == [])
        hearing.note(silent(true), of: 1)
        #expect(health.conditions == Self.deaf)
    }
}
