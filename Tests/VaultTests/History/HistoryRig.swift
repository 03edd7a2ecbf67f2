import Ciphers
import Foundation
import GatewayModel
import ModelSamples
import Samples
import Vault

/// A history on a real disk, with a key of its own.
final class HistoryRig {
    static let start: Int64 = 1_767_225_600_000  // 2026-01-01T00:00:00Z
    static let day: Int64 = 86_400_000

    let directory: URL
    var database: HistoryDatabase
    private var number = 0

    var path: String { directory.path + "/history.sqlite" }

    init(_ keys: HistoryKeys = HistoryRig.keys(1)) throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        database = try HistoryDatabase(
            at: directory.path + "/history.sqlite", keys: keys, cipher: OpenSSLCipher())
    }

    deinit {
        try? database.close()
        try? FileManager.default.removeItem(at: directory)
    }

    static func key(_ byte: UInt8) -> AES256Key { AES256Key([UInt8](repeating: byte, count: 32))! }

    static func keys(_ current: UInt8, _ previous: UInt8? = nil) -> HistoryKeys {
        HistoryKeys(current: key(current), previous: previous.map(key))
    }

    /// Opens the database as after a kill: data that is in no file is gone.
    func reopen(_ keys: HistoryKeys = HistoryRig.keys(1)) throws {
        try? database.close()
        database = try HistoryDatabase(at: path, keys: keys, cipher: OpenSSLCipher())
    }

    static func time(_ seconds: Double) -> WallTime {
        WallTime(millisecondsSince1970: start + Int64(seconds * 1_000))
    }

    /// - Parameter seconds: since the beginning of 2026, UTC.
    func reading(
        _ value: Double, at seconds: Double, _ kind: QuantityKind = .heartRate,
        of person: PersonID = Sample.maria,
        device: String = "strap", contact: SensorContact = .detected
    ) -> Reading {
        number += 1
        return Reading(
            id: Sample.id(number), person: person, device: DeviceID(sample: device),
            quantity: Quantity(kind, value), contact: contact,
            arrival: Moment(boot: BootInstant(nanoseconds: 0), wall: Self.time(seconds)))
    }

    func page(
        _ from: Double, _ to: Double, _ resolution: HistoryResolution, limit: Int = 10_000
    ) throws -> HistoryPage {
        try database.page(
            HistoryQuery(
                person: Sample.maria, kind: .heartRate, from: Self.time(from), to: Self.time(to),
                resolution: resolution, limit: limit))
    }

    /// Does all the work of idle hours.
    func lookAfter(at seconds: Double, raw days: Int = 30, rollUps keep: Int = 400) throws {
        let now = Self.time(seconds)
        while try database.rollUp(at: now) {}
        while try database.letGoOfRaw(olderThan: .seconds(days * 86_400), at: now) {}
        while try database.letGoOfRollUps(olderThan: .seconds(keep * 86_400), at: now) {}
    }

    /// Returns the output of sqlite3, another program with the file open.
    func sqlite(_ sql: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = [path, sql]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }

    /// Every byte of the database and its log.
    func bytes() throws -> Data {
        try ["", "-wal"].reduce(Data()) { data, suffix in
            guard FileManager.default.fileExists(atPath: path + suffix) else { return data }
            return data + (try Data(contentsOf: URL(filePath: path + suffix)))
        }
    }
}
