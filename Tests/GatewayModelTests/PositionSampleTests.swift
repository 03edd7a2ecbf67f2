import GatewayModel
import Samples
import Testing

@Suite struct `A coarse position` {
    private func sample(
        _ latitude: Double, _ longitude: Double, error: Double? = 5, at seconds: Double = 61.234
    ) throws -> PositionSample {
        PositionSample(
            id: Sample.id(1), person: Sample.maria, source: .box,
            coordinates: try #require(Coordinates(latitude: latitude, longitude: longitude)),
            horizontalError: error, arrival: Sample.moment(seconds))
    }

    @Test func `is the same for every place in its cell, and every second of its minute`() throws {
        let first = try sample(45.46612, 9.18601).coarse
        #expect(abs(first.coordinates.latitude - 45.465) < 1e-9)
        #expect(abs(first.coordinates.longitude - 9.185) < 1e-9)
        #expect(first.horizontalError == 1_000 && first.measured == Sample.moment(60).wall)
        for (latitude, longitude, error, seconds) in [
            (45.46001, 9.18999, nil, 60.0), (45.46999, 9.18001, 200, 119.999), (45.465, 9.185, 0.1, 90),
        ] as [(Double, Double, Double?, Double)] {
            #expect(try sample(latitude, longitude, error: error, at: seconds).coarse == first)
        }
        #expect(try sample(45.47001, 9.18601).coarse != first)
    }

    @Test func `lies in its own cell, everywhere on the globe`() throws {
        for latitude in [-90, -89.999, -45.005, -0.001, 0, 0.001, 45.4661, 89.995, 90] as [Double] {
            for longitude in [-180, -179.996, -0.0001, 0, 9.1860, 179.999, 180] as [Double] {
                let coarse = try sample(latitude, longitude).coarse.coordinates
                #expect(abs(coarse.latitude - latitude) <= 0.005_001, "\(latitude)")
                #expect(abs(coarse.longitude - longitude) <= 0.005_001, "\(longitude)")
            }
        }
    }

    @Test func `has an error that holds the measured one, in whole kilometres`() throws {
        for (error, expected) in [
            (nil, 1_000), (213, 1_000), (214, 2_000), (5_000, 6_000), (-1, 1_000),
            (.infinity, 20_001_000),
        ] as [(Double?, Double)] {
            #expect(try sample(45, 9, error: error).coarse.horizontalError == expected, "\(error ?? 0)")
        }
    }

    @Test func `begins its minute before 1970 too`() {
        let early = PositionSample(
            id: Sample.id(1), person: Sample.maria, source: .box,
            coordinates: Coordinates(latitude: 1, longitude: 1)!, horizontalError: nil,
            arrival: Moment(
                boot: BootInstant(nanoseconds: 0), wall: WallTime(millisecondsSince1970: -1)))
        #expect(early.coarse.measured == WallTime(millisecondsSince1970: -60_000))
    }
}

@Suite struct `A kind of data` {
    @Test func `has one name on the wire, which gives it back`() {
        let names = DataKind.allCases.map(\.rawValue)
        #expect(Set(names).count == names.count)
        #expect(names.compactMap { DataKind(rawValue: $0) } == DataKind.allCases)
        for name in ["", "profile-", "profile-heart-rate", "Location", "height", "heart-rate "] {
            #expect(DataKind(rawValue: name) == nil, "\(name)")
        }
    }

    @Test func `has words of its own in both languages`() {
        for language in PersonProfile.Language.allCases {
            let titles = DataKind.allCases.map { $0.title.in(language) }
            #expect(Set(titles).count == titles.count && !titles.contains(""))
        }
    }
}
