import RealModule
import Testing

@testable import RunBeacon

@Suite struct `The estimate of a passage` {
    /// What is heard of somebody who goes past at `distance` metres with 3 m/s at second 20, without any noise.
    private func hits(distance: Double, shadow: Double = 0, every gap: Double = 0.1) -> [PassageFit.Hit] {
        stride(from: 10.0, through: 30, by: gap).map { time in
            let along = (time - 20) * 3
            let away = (along * along + distance * distance).squareRoot()
            return PassageFit.Hit(
                time: time, rssi: -59 - 24 * Double.log10(away) - shadow * along / away)
        }
    }

    @Test(arguments: [1.0, 3, 8]) func `is exact where nothing disturbs`(distance: Double) throws {
        let estimate = try #require(PassageFit.estimate(hits(distance: distance)))
        #expect(abs(estimate.nearest - 20) < 0.05)
    }

    /// The strongest of these hits is well before or after the passage.
    @Test(arguments: [-7.0, 7]) func `takes a body in the way for what it is`(shadow: Double) throws {
        let hits = hits(distance: 3, shadow: shadow)
        let strongest = try #require(hits.max { $0.rssi < $1.rssi })
        let estimate = try #require(PassageFit.estimate(hits))
        #expect(abs(strongest.time - 20) > 0.4)
        #expect(abs(estimate.nearest - 20) < 0.15)
    }

    @Test func `is not moved by single hits that fade`() throws {
        var hits = hits(distance: 2)
        for index in stride(from: 3, to: hits.count, by: 7) {
            hits[index] = PassageFit.Hit(time: hits[index].time, rssi: hits[index].rssi - 25)
        }
        let estimate = try #require(PassageFit.estimate(hits))
        #expect(abs(estimate.nearest - 20) < 0.1)
    }

    @Test func `is less sure of few hits`() throws {
        let many = try #require(PassageFit.estimate(hits(distance: 3)))
        let few = try #require(PassageFit.estimate(hits(distance: 3, every: 2)))
        #expect(few.bound > many.bound * 1.5)
    }

    @Test func `has none of one hit, or of several at one instant`() {
        let hit = PassageFit.Hit(time: 1, rssi: -60)
        #expect(PassageFit.estimate([]) == nil)
        #expect(PassageFit.estimate([hit]) == nil)
        #expect(PassageFit.estimate([hit, hit]) == nil)
    }

    /// Stands `behind` times 3 m before the line until second 20 less the way to it, and goes past then; or comes and stays.
    private func stay(_ way: PassageCurve.Way) -> [PassageFit.Hit] {
        stride(from: 5.0, through: 30, by: 0.1).map { time in
            let along = 3 * min(max(time - 20, way.from), way.to)
            return PassageFit.Hit(time: time, rssi: -59 - 12 * Double.log10(along * along + 9))
        }
    }

    @Test(arguments: [0, 1, 2, 5.0])
    func `finds when somebody left who stood at the line, or in the crowd behind it`(behind: Double) throws {
        let estimate = try #require(PassageFit.estimate(stay(.leaving(from: behind)), .leaving))
        #expect(abs(estimate.nearest - 20) < 0.5)
    }

    @Test func `finds when somebody came who stays, and takes a passage for one where it might be either`()
        throws
    {
        #expect(abs(try #require(PassageFit.estimate(stay(.coming), .staying)).nearest - 20) < 0.3)
        for presence in [Presence.long, .staying, .leaving] {
            #expect(abs(try #require(PassageFit.estimate(hits(distance: 3), presence)).nearest - 20) < 0.1)
        }
    }

    private func estimate(_ nearest: Double, _ bound: Double) -> PassageFit.Estimate {
        PassageFit.Estimate(nearest: nearest, bound: bound, prominence: 20)
    }

    @Test func `is surer of what several antennas agree on, and believes the surest where they do not`() throws
    {
        let agreed = try #require(PassageFit.joined([estimate(20, 1), estimate(20.6, 0.5)]))
        #expect(abs(agreed.nearest - 20.48) < 0.001)
        #expect(agreed.bound < 0.5)
        let torn = try #require(PassageFit.joined([estimate(20, 1), estimate(25, 0.5)]))
        #expect(torn.nearest == 25 && torn.bound == 0.5)
        #expect(PassageFit.joined([]) == nil)
    }
}
