import Foundation

/// The real gammu-smsd with its FILES service and a virtual modem.
public final class GammuRig {
    public let scratch: ScratchDirectory
    public let modem: ModemRig
    public private(set) var daemon: ChildProcess?

    public var pidFile: String { scratch.file("smsd.pid").path }

    public init(isRunning: Bool = true) async throws {
        scratch = try ScratchDirectory()
        for folder in ["inbox", "outbox", "sent", "error"] {
            try FileManager.default.createDirectory(at: scratch.file(folder), withIntermediateDirectories: true)
        }
        modem = try await ModemRig(.terminal(link: scratch.file("tty").path))
        let folders = ["inbox", "outbox", "sent", "error"].map { scratch.file($0).path }
        _ = try scratch.write(
            """
            [gammu]
            port = \(scratch.file("tty").path)
            connection = at
            [smsd]
            service = files
            inboxpath = \(folders[0])/
            outboxpath = \(folders[1])/
            sentsmspath = \(folders[2])/
            errorsmspath = \(folders[3])/
            commtimeout = 1
            sendtimeout = 10
            """, to: "smsdrc")
        if isRunning { try start() }
    }

    public func start() throws {
        daemon = try ChildProcess(
            "/usr/bin/gammu-smsd", ["-c", scratch.file("smsdrc").path, "--pid=\(pidFile)"],
            output: scratch.file("smsd.log"))
    }

    public func killDaemon() { daemon?.killAndWait() }

    public func files(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: scratch.file(folder).path)) ?? []
    }

    deinit { daemon?.killAndWait() }
}
