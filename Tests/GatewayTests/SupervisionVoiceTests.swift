import GatewayModel
import HomeGateway
import Samples
import Testing

@testable import Hub
@testable import Supervision

@Suite struct `The voice of supervision` {
    private static let away = HealthCondition(.wearableAway, subject: "strap")
    private static let silent = HealthCondition(.wearableSilent, subject: "belt")

    /// A class, since an expectation cannot call what mutates.
    private final class House {
        private var voice = SupervisionVoice(after: .seconds(120))

        func see(_ conditions: [HealthCondition], _ seconds: Double, isAwake: Bool = true)
            -> [SupervisionVoice.Word]
        {
            voice.see(conditions, at: Sample.moment(seconds).boot, isAwake: isAwake)
        }
    }

    private let house = House()

    @Test func `says what lasts, once, and that it is over`() {
        #expect(house.see([Self.away], 0).isEmpty)
        #expect(house.see([Self.away], 119.9).isEmpty)
        #expect(house.see([Self.away], 120) == [.paused(Self.away)])
        #expect(house.see([Self.away], 5_000).isEmpty)
        #expect(house.see([], 5_001) == [.back])
        #expect(house.see([], 5_002).isEmpty)
    }

    @Test func `says that a button is untested without a word of a pause`() {
        let untested = HealthCondition(.sosButtonUntested, subject: "pendant")
        #expect(house.see([untested], 0).isEmpty)
        #expect(house.see([untested], 120) == [.trouble(untested)])
        #expect(house.see([], 121) == [.troubleOver(untested)])
    }

    @Test func `says soon that nobody can be called, with a sentence of its own, and that it is over`() {
        let helpless = HealthCondition(.helpUnreachable, subject: "maria")
        #expect(house.see([helpless], 0).isEmpty && house.see([helpless], 14.9).isEmpty)
        #expect(house.see([helpless], 15) == [.trouble(helpless)])
        #expect(house.see([helpless], 5_000).isEmpty)
        #expect(house.see([], 5_001) == [.troubleOver(helpless)])
    }

    @Test func `says that the button of the box is dead, and that it works again`() {
        let dead = HealthCondition(.houseButtonDead)
        #expect(house.see([dead], 0).isEmpty && house.see([dead], 120) == [.trouble(dead)])
        #expect(house.see([], 121) == [.troubleOver(dead)])
    }

    @Test func `is silent about what passes, and counts anew`() {
        #expect(house.see([Self.away], 0).isEmpty)
        #expect(house.see([], 119).isEmpty)
        #expect(house.see([Self.away], 121).isEmpty)
        #expect(house.see([Self.away], 240.9).isEmpty)
        #expect(house.see([Self.away], 241) == [.paused(Self.away)])
    }

    @Test func `waits at night for the morning, and says then only what still holds`() {
        #expect(house.see([Self.away, Self.silent], 0, isAwake: false).isEmpty)
        #expect(house.see([Self.away, Self.silent], 3_600, isAwake: false).isEmpty)
        #expect(house.see([Self.away], 7_200, isAwake: false).isEmpty)
        #expect(house.see([Self.away], 7_201) == [.paused(Self.away)])
    }

    @Test func `says in the morning that it is back where it came back at night`() {
        #expect(house.see([Self.away], 0).isEmpty)
        #expect(house.see([Self.away], 120) == [.paused(Self.away)])
        #expect(house.see([], 3_600, isAwake: false).isEmpty)
        #expect(house.see([], 7_200) == [.back])
    }

    @Test func `is back only when nothing of what it said holds`() {
        #expect(house.see([Self.away, Self.silent], 0).isEmpty)
        #expect(house.see([Self.away, Self.silent], 120) == [.paused(Self.away), .paused(Self.silent)])
        #expect(house.see([Self.silent], 130).isEmpty)
        #expect(house.see([], 140) == [.back])
    }

    @Test func `leaves what does not impair supervision to the screen`() {
        #expect(house.see([HealthCondition(.brokerUnreachable)], 0).isEmpty)
        #expect(house.see([HealthCondition(.brokerUnreachable)], 5_000).isEmpty)
    }

    @Test func `says a low battery, missing mains and a failed drill in their own words, once, and their end`()
    {
        let battery = HealthCondition(.batteryLow, subject: "strap")
        let (mains, empty) = (HealthCondition(.mainsLost), HealthCondition(.houseBatteryLow))
        let drill = HealthCondition(.drillFailed, subject: "maria")
        #expect(house.see([battery, mains, drill], 0) == [.trouble(drill)])
        #expect(house.see([battery, mains, drill], 15) == [.trouble(mains)])
        #expect(house.see([battery, mains, drill, empty], 120) == [.trouble(battery)])
        #expect(house.see([battery, mains, drill, empty], 135) == [.trouble(empty)])
        #expect(house.see([battery, mains, drill, empty], 9_000).isEmpty)
        #expect(
            house.see([], 9_001) == [
                .troubleOver(battery), .troubleOver(drill), .troubleOver(empty), .troubleOver(mains),
            ])
        #expect(house.see([], 9_002).isEmpty)
    }

    @Test func `lets a battery wait for the morning, and says nothing of a flicker of the mains`() {
        let (battery, mains) = (HealthCondition(.batteryLow, subject: "strap"), HealthCondition(.mainsLost))
        #expect(house.see([battery, mains], 0, isAwake: false).isEmpty)
        #expect(house.see([battery], 10, isAwake: false).isEmpty)
        #expect(house.see([battery], 3_600, isAwake: false).isEmpty)
        #expect(house.see([battery], 7_200) == [.trouble(battery)])
    }
}
