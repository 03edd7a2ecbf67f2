import GatewayModel
import ModelSamples
import Samples
import Testing

@testable import Locations

@Suite struct `Sampling of positions` {
    private var sampler = LocationSampler()
    private let interval = Duration.seconds(60)
    private let place = Coordinates(latitude: 45.4661, longitude: 9.1860)!
    private let paolo = PersonID(sample: "paolo")

    private func worn(_ person: PersonID = Sample.maria, at seconds: Double) -> WearablePosition {
        WearablePosition(
            person: person, device: DeviceID(sample: "watch"), coordinates: place, horizontalError: 5,
            deviceTime: nil, arrival: Sample.moment(seconds))
    }

    private func fix(at seconds: Double) -> Fix {
        Fix(coordinates: place, altitude: nil, horizontalError: 5, arrival: Sample.moment(seconds))
    }

    @Test mutating func `takes one position of a person in an interval`() {
        var taken: [Double] = []
        for second in stride(from: 0.0, through: 180, by: 1)
        where sampler.takes(worn(at: second), every: interval) {
            taken.append(second)
        }
        #expect(taken == [0, 60, 120, 180])
    }

    @Test mutating func `takes each person for themselves`() {
        let first = sampler.takes(worn(at: 0), every: interval)
        #expect(first)
        let ofAnother = sampler.takes(worn(paolo, at: 1), every: interval)
        #expect(ofAnother)
        let again = sampler.takes(worn(paolo, at: 2), every: interval)
        #expect(!again)
    }

    @Test mutating func `takes the box for those who carry it alone`() {
        let ofNobody = sampler.takes(fix(at: 0), of: [], every: interval).isEmpty
        #expect(ofNobody)
        let carriers = sampler.takes(fix(at: 0), of: [Sample.maria, paolo], every: interval)
        #expect(carriers == [Sample.maria, paolo])
        let soonAfter = sampler.takes(fix(at: 30), of: [Sample.maria, paolo], every: interval).isEmpty
        #expect(soonAfter)
    }

    @Test mutating func `prefers the wearable of a person to the box, until it falls silent`() {
        let isWornTaken = sampler.takes(worn(at: 0), every: interval)
        #expect(isWornTaken)
        let wornLater = sampler.takes(worn(at: 50), every: interval)
        #expect(!wornLater)
        let boxMeanwhile = sampler.takes(fix(at: 70), of: [Sample.maria], every: interval).isEmpty
        #expect(boxMeanwhile, "worn 20 s ago")
        let box = sampler.takes(fix(at: 110), of: [Sample.maria], every: interval) == [Sample.maria]
        #expect(box)
        // The wearable comes back: the next sample is its own.
        let wornAgain = sampler.takes(worn(at: 111), every: interval)
        #expect(!wornAgain)
        let next = sampler.takes(worn(at: 170), every: interval)
        #expect(next)
    }
}
