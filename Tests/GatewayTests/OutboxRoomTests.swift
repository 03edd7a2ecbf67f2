// The compiler attributes stat(2) to one of these C modules, depending on the files of the batch.
import CDispatch
import CoreFoundation
import Foundation
import Glibc
import HomeGateway
import Hub
import OutboxService
import Testing
import Vault

@Suite struct `The room that the outbox takes` {
    private static let megabyte = 1 << 20
    private let room = OutboxRoom(quota: 2_048 * Self.megabyte)

    private func disk(_ free: Int, of total: Int = 30_000) -> DiskRoom {
        DiskRoom(free: free * Self.megabyte, total: total * Self.megabyte)
    }

    @Test func `leaves the disk a reserve, which is small where the disk or the quota is`() {
        #expect(room.reserve(of: disk(0)) == 64 * Self.megabyte)
        #expect(room.reserve(of: disk(0, of: 240)) == 24 * Self.megabyte)
        #expect(OutboxRoom(quota: 160 * Self.megabyte).reserve(of: disk(0)) == 16 * Self.megabyte)
    }

    @Test(arguments: [
        (2_049, 0, 10_000, OutboxRoom.Verdict.beyondQuota),
        (2_000, 0, 10_000, .enough),
        (1_800, 0, 10_000, .ample),
        (1_000, 0, 63, .beyondReserve),
        // Rows go into the file as it is.
        (1_000, 512, 63, .enough),
        (1_000, 0, 65, .enough),
        (1_000, 0, 71, .ample),
        // It is others who have filled the disk.
        (64, 0, 0, .enough),
        (10, 0, 0, .ample),
    ])
    func `is within the quota and the reserve`(
        used: Int, spare: Int, free: Int, verdict: OutboxRoom.Verdict
    ) {
        let seen = room.verdict(used: used * Self.megabyte, spare: spare, on: disk(free))
        #expect(seen == verdict)
    }

    @Test func `goes by the quota alone where nobody knows the disk`() {
        #expect(room.verdict(used: 1, spare: 0, on: nil) == .ample)
        #expect(room.verdict(used: 2_049 * Self.megabyte, spare: 0, on: nil) == .beyondQuota)
    }

    @Test func `is kept by blocks on the disk, whole, until it is given up`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "ballast-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let ballast = Ballast(at: path)
        #expect(try !ballast.isThere)
        // As a kill amid the making leaves it.
        try Data(repeating: 0, count: 65_536).write(to: URL(filePath: path))
        #expect(try !ballast.isThere)
        try ballast.restore()
        #expect(try ballast.isThere)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(Int(status.st_blocks) * 512 >= Ballast.size)
        try ballast.release()
        #expect(!FileManager.default.fileExists(atPath: path))
        try ballast.release()
    }

    @Test func `is known of the disk that a file will be on`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "nothing-\(UUID())").path
        let room = try DiskRoom(around: path)
        #expect(room.total > 0 && room.free <= room.total)
        #expect(throws: DiskFailure.self) { try DiskRoom(around: "/nowhere/at/all") }
    }
}
