import Foundation
import GatewayModel
import ModelSamples
import Samples
import Testing

@testable import Vault

@Suite struct `Positions in the history` {
    private func sample(
        _ latitude: Double, at seconds: Double, of person: PersonID = Sample.maria, device: String? = "watch"
    ) -> PositionSample {
        PositionSample(
            id: Sample.id(1), person: person, source: device.map { .wearable(DeviceID(sample: $0)) } ?? .box,
            coordinates: Coordinates(latitude: latitude, longitude: -9.186_012_3)!,
            horizontalError: device == nil ? nil : 4.25,
            arrival: Moment(boot: BootInstant(nanoseconds: 0), wall: HistoryRig.time(seconds)))
    }

    private func page(
        _ rig: HistoryRig, of person: PersonID = Sample.maria, _ from: Double = 0, _ to: Double = 1e6
    ) throws -> LocationPage {
        try rig.database.locations(of: person, from: HistoryRig.time(from), to: HistoryRig.time(to))
    }

    @Test func `come back as they were, over a restart, by time`() throws {
        let rig = try HistoryRig()
        try rig.database.keep([sample(45.466_111_1, at: 1_000), sample(45.2, at: 5, device: nil)])
        try rig.reopen()
        try rig.database.keep([sample(45.3, at: 10), sample(1, at: 10, of: PersonID(sample: "paolo"))])
        let points = try page(rig).points
        #expect(points.map(\.latitude) == [45.2, 45.3, 45.466_111_1])
        #expect(points.map(\.longitude) == [-9.186_012_3, -9.186_012_3, -9.186_012_3])
        #expect(points.map(\.device) == [nil, "watch", "watch"])
        #expect(points.map(\.accuracyM) == [nil, 4.3, 4.3])
        #expect(points.map(\.at) == [5, 10, 1_000].map { HistoryRig.start + $0 * 1_000 })
        #expect(try page(rig, 5, 10).points.map(\.latitude) == [45.2], "the end is not included")
        #expect(try page(rig, of: PersonID(sample: "anna")).points.isEmpty)
    }

    @Test func `are once in the history, though they are written twice`() throws {
        let rig = try HistoryRig()
        for _ in 0..<2 { try rig.database.keep([sample(45, at: 5), sample(46, at: 6)]) }
        #expect(try page(rig).points.map(\.latitude) == [45, 46])
    }

    @Test func `are sealed, and under a new key after a rotation`() throws {
        let rig = try HistoryRig()
        try rig.database.keep([sample(45, at: 5, device: "marker-watch")])
        #expect(try rig.bytes().range(of: Data("marker-watch".utf8)) == nil)
        #expect(try rig.sqlite("SELECT count(*) FROM location") == "1\n")
        try rig.reopen(HistoryRig.keys(2, 1))
        while try rig.database.rotate() > 0 {}
        try rig.reopen(HistoryRig.keys(2))
        #expect(try page(rig).points.map(\.device) == ["marker-watch"])
        _ = try rig.sqlite("UPDATE location SET place = place + 1")
        try rig.reopen(HistoryRig.keys(2))
        let moved = try page(rig)
        #expect(moved.points.isEmpty && moved.unreadable == 1)
    }

    @Test func `leave with their person, and with their age`() throws {
        let rig = try HistoryRig()
        let paolo = PersonID(sample: "paolo")
        try rig.database.keep([
            sample(45, at: 5), sample(45, at: 86_400), sample(46, at: 5, of: paolo),
        ])
        while try rig.database.letGoOfLocations(olderThan: .seconds(43_200), at: HistoryRig.time(86_400)) {}
        #expect(try page(rig).points.map(\.at) == [HistoryRig.start + HistoryRig.day])
        try rig.database.keep([sample(46, at: 7, of: paolo)])
        #expect(try rig.database.erase(Sample.maria) > 0)
        #expect(try page(rig).points.isEmpty)
        #expect(try page(rig, of: paolo).points.count == 1)
        // A new series begins, also after a restart.
        try rig.reopen()
        try rig.database.keep([sample(47, at: 9)])
        #expect(try page(rig).points.map(\.latitude) == [47])
    }

    @Test func `come in pages, each once`() throws {
        let rig = try HistoryRig()
        let all = (0..<450).map { sample(Double($0) / 10, at: Double($0) * 900) }
        try rig.database.keep(all)
        var (found, next, pages) = ([Double](), Optional(HistoryRig.start), 0)
        while let start = next {
            let page = try rig.database.locations(
                of: Sample.maria, from: WallTime(millisecondsSince1970: start), to: HistoryRig.time(1e9))
            found += page.points.map(\.latitude)
            (next, pages) = (page.next, pages + 1)
        }
        #expect(found == all.map(\.coordinates.latitude) && pages == 3)
    }
}
