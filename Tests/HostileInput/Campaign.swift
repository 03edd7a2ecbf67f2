import Foundation
import Glibc

/// Many hostile inputs for one entry of the gateway, in this process.
///
/// A trap ends the process. So each input lies in a file in memory while it is handled; `Tests/Fuzz/run` keeps the
/// file of a process that died in `Tests/Fuzz/crashes`, and every campaign handles those first.
///
/// Environment: `FUZZ_INPUTS` (default 2,000), `FUZZ_SEED` (default 1), `FUZZ_TABLE`: a file that gets a line.
public struct Campaign {
    /// Of `Tests/Fuzz/crashes`, and of the table.
    public let entry: String
    public let inputs: Int
    public let seed: UInt64

    public init(_ entry: String) {
        let environment = ProcessInfo.processInfo.environment
        self.entry = entry
        inputs = environment["FUZZ_INPUTS"].flatMap(Int.init) ?? 2_000
        seed = environment["FUZZ_SEED"].flatMap(UInt64.init) ?? 1
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fuzz")

    /// Where the input lies that is being handled. A directory in memory: it is written for each.
    private var current: String { "/dev/shm/homegateway-fuzz-\(entry)" }

    /// Inputs that ended a process once.
    public var crashes: [[UInt8]] {
        let folder = Self.folder.appending(path: "crashes").appending(path: entry)
        let files =
            (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.sorted { $0.path < $1.path }.compactMap { try? Data(contentsOf: $0) }.map { [UInt8]($0) }
    }

    /// Handles each crash that is kept, then `inputs` mutations of `seeds`.
    /// - Returns: how many inputs were handled.
    @discardableResult
    public func run(
        seeds: [[UInt8]], words: [String] = Mutator.jsonWords, handle: ([UInt8]) throws -> Void
    ) rethrows -> Int {
        let descriptor = open(current, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer {
            close(descriptor)
            unlink(current)
        }
        var mutator = Mutator(seed: seed, seeds: seeds, words: words)
        let kept = crashes + seeds
        var slowest = Duration.zero
        let clock = ContinuousClock()
        for number in 0..<(kept.count + inputs) {
            let input = number < kept.count ? kept[number] : mutator.next()
            ftruncate(descriptor, 0)
            pwrite(descriptor, input, input.count, 0)
            let start = clock.now
            try handle(input)
            slowest = max(slowest, start.duration(to: clock.now))
        }
        report(kept.count + inputs, slowest)
        return kept.count + inputs
    }

    private func report(_ count: Int, _ slowest: Duration) {
        guard let path = ProcessInfo.processInfo.environment["FUZZ_TABLE"] else { return }
        let line = Array(
            "\(entry)\t\(count)\t\(slowest.components.attoseconds / 1_000_000_000_000_000 + slowest.components.seconds * 1_000)\n"
                .utf8)
        let table = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        write(table, line, line.count)
        close(table)
    }
}
