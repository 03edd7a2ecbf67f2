import Foundation
import Synchronization

/// A virtual modem of Tests/Rig for one test.
public final class ModemRig: Sendable {
    /// One line of its output.
    private struct Line: Decodable, Sendable {
        let ready, done: Bool?
        let sms: Text?
        let refused: Bool?
        let inbox, read: Int?
        let dialled, hungup: String?
    }

    /// A text as it decoded it: one part of it.
    public struct Text: Decodable, Hashable, Sendable {
        public let number: String
        public let text: String
        public let alphabet: String
        public let part: Int
        public let parts: Int
    }

    public let texts = Recorder<Text>()
    /// Numbers that were called.
    public let dialled = Recorder<String>()
    /// Numbers whose call the user of the modem has ended.
    public let hungUp = Recorder<String>()
    private let inboxes = Recorder<Int>()
    private let reads = Recorder<Int>()
    /// Number of texts that it stores.
    public var inbox: Int { inboxes.values.last ?? 0 }
    private let ready = Recorder<Bool>()
    private let changes = Recorder<Bool>()
    private let process: Mutex<Process>
    private let input: Mutex<FileHandle>

    /// - Parameter port: name of the port at which ModemManager reaches it.
    public init(port: String) async throws {
        let program = Process()
        let (output, commands) = (Pipe(), Pipe())
        program.executableURL = Repository.root.appending(path: "Tests/Rig/virtual_modem.py")
        program.arguments = [port]
        program.standardInput = commands
        program.standardOutput = output
        try program.run()
        let (texts, ready, inboxes, reads, changes) = (texts, ready, inboxes, reads, changes)
        let (dialled, hungUp) = (dialled, hungUp)
        Thread.detachNewThread {
            var rest = Data()
            while case let bytes = output.fileHandleForReading.availableData, !bytes.isEmpty {
                rest += bytes
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    if let line = try? JSONDecoder().decode(Line.self, from: rest[..<end]) {
                        if let number = line.dialled { dialled.add(number) }
                        if let number = line.hungup { hungUp.add(number) }
                        if let count = line.inbox { inboxes.add(count) }
                        if let place = line.read { reads.add(place) }
                        if line.ready == true { ready.add(true) }
                        if line.done == true { changes.add(true) }
                        if let sms = line.sms, line.refused == false { texts.add(sms) }
                    }
                    rest = Data(rest[(end + 1)...])
                }
            }
        }
        process = Mutex(program)
        input = Mutex(commands.fileHandleForWriting)
        guard await ready.wait(until: { !$0.isEmpty }) else { throw CocoaError(.executableLoad) }
    }

    deinit { process.withLock { $0.terminate() } }

    /// Lets a text come in, and waits until the program beside it has read it.
    public func deliver(_ text: String, from number: String) async -> Bool {
        let before = reads.values.count
        guard await tell("deliver \(number) \(text)") else { return false }
        return await reads.wait(upTo: .seconds(20)) { $0.count > before }
    }

    /// One of the commands in the head of virtual_modem.py; waits until the modem has done it. One at a time.
    public func tell(_ command: String) async -> Bool {
        let before = changes.values.count
        input.withLock { try? $0.write(contentsOf: Data("\(command)\n".utf8)) }
        return await changes.wait(upTo: .seconds(20)) { $0.count > before }
    }

    /// Whole texts so far, parts put together: `number: text`.
    public var whole: [String] {
        var begun: [String: String] = [:]
        return texts.values.compactMap { part in
            begun[part.number, default: ""] += part.text
            guard part.part == part.parts else { return nil }
            return "\(part.number): \(begun.removeValue(forKey: part.number) ?? "")"
        }
    }
}
