import Foundation
import Glibc

/// Files in memory: a campaign writes each some hundred thousand times.
public final class MemoryFolder {
    private let url = URL(filePath: "/dev/shm/homegateway-\(UUID().uuidString)")

    public init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }
    deinit { try? FileManager.default.removeItem(at: url) }

    public func path(_ name: String) -> String { name.isEmpty ? url.path : url.appending(path: name).path }

    public func write(_ bytes: [UInt8], _ name: String) {
        let descriptor = open(path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        _ = Glibc.write(descriptor, bytes, bytes.count)
        close(descriptor)
    }

    public func read(_ name: String) -> [UInt8] {
        (try? Data(contentsOf: URL(filePath: path(name)))).map { [UInt8]($0) } ?? []
    }
}
