import Foundation
import Glibc
import SettingsSamples
import TestSupport
import Testing

extension Integration {
    /// One wrong line must not darken the house: each mistake of the list, in a house of its own. Several houses hear
    /// the same button, side by side.
    @Suite struct Mistakes {
        private struct Watched {
            let mistake: SettingsMistake
            let house: MistakenHouse
            let place: String
            let daemon: DaemonProcess
        }

        private static let atATime = 8

        /// In the clear: a packet id, then one press.
        private static func press(_ packet: UInt8) -> [UInt8] { [0x44, 0x00, packet, 0x3A, 0x01] }

        @Test func `with each single mistake the gateway starts, calls help at a press, and names the line`()
            async throws
        {
            let scratch = try ScratchDirectory()
            let rig = try await Rig(
                [Rig.Wearable(id: "button", kind: "beacon", address: "C0:FF:EE:00:00:05")], without: ["gpsd"],
                in: scratch)
            do {
                let copy = try await Self.copyOfWhatWorks(scratch, rig)
                for begin in stride(from: 0, to: SettingsMistake.all.count, by: Self.atATime) {
                    let end = min(begin + Self.atATime, SettingsMistake.all.count)
                    try await Self.watch(begin..<end, scratch, rig, copy)
                }
            } catch {
                await rig.end()
                throw error
            }
            await rig.end()
        }

        /// - Returns: what a gateway keeps of settings that worked; `DIRECTORY` stands for its directory.
        private static func copyOfWhatWorks(_ scratch: ScratchDirectory, _ rig: Rig) async throws -> String {
            let directory = scratch.file("sound")
            let house = try MistakenHouse(
                in: directory, bus: rig.bus, brokerPort: try #require(rig.brokerPort))
            let daemon = try Self.launch(house)
            try await daemon.ready()
            let file = directory.appending(path: "state/last-settings.json")
            let isKept = await eventually { FileManager.default.fileExists(atPath: file.path) }
            await daemon.child.killed()
            guard isKept else { throw Missing(description: "the copy of the settings: \(daemon.log)") }
            return try String(contentsOf: file, encoding: .utf8)
                .replacingOccurrences(of: directory.path, with: "DIRECTORY")
        }

        private static func launch(_ house: MistakenHouse) throws -> DaemonProcess {
            try DaemonProcess(
                settings: house.settings, controlSocket: house.controlSocket,
                environment: ["STATE_DIRECTORY": house.directory.appending(path: "state").path], stuck: nil)
        }

        private static func watch(
            _ numbers: Range<Int>, _ scratch: ScratchDirectory, _ rig: Rig, _ copy: String
        ) async throws {
            var watched: [Watched] = []
            for number in numbers {
                let mistake = SettingsMistake.all[number]
                let directory = scratch.file("h\(number)")
                let house = try MistakenHouse(
                    in: directory, bus: rig.bus, brokerPort: try #require(rig.brokerPort),
                    box: "house-\(number)")
                // Without its checksum: a file of an earlier version has none.
                let text = copy.components(separatedBy: "\n#sha256").first ?? copy
                try text.replacingOccurrences(of: "DIRECTORY", with: directory.path)
                    .replacingOccurrences(of: "house-12", with: "house-\(number)")
                    .write(
                        to: directory.appending(path: "state/last-settings.json"), atomically: true,
                        encoding: .utf8)
                let place = try house.make(mistake)
                watched.append(
                    Watched(mistake: mistake, house: house, place: place, daemon: try launch(house)))
            }
            do {
                try await press(for: watched, rig)
            } catch {
                for house in watched { await house.daemon.child.killed() }
                throw error
            }
            for house in watched { await house.daemon.child.killed() }
        }

        private static func press(for watched: [Watched], _ rig: Rig) async throws {
            var feeds: [FeedWatcher] = []
            for house in watched {
                do {
                    try await house.daemon.ready()
                    feeds.append(try await FeedWatcher(house.house.controlSocket))
                } catch {
                    Issue.record("\(house.mistake): \(error)\n\(house.daemon.log)")
                    throw error
                }
            }
            // A gateway that does not listen yet hears a later one.
            for packet in UInt8(1)...60 {
                try await rig.advertise(press(packet), from: "button")
                let areCalled = await eventually(within: .seconds(1)) { feeds.allSatisfy(Self.isHelpCalled) }
                if areCalled { break }
            }
            for (house, feed) in zip(watched, feeds) {
                let isCalled = Self.isHelpCalled(feed)
                #expect(isCalled, "\(house.mistake): help is not called\n\(house.daemon.log)")
                let status = try await ControlQuestion.ask(#"{"verb":"status"}"#, at: house.house.controlSocket)
                let isNamed = status.contains("(\(house.place) ") || status.contains("(\(house.place))")
                #expect(isNamed, "\(house.mistake): \(house.place) is not in \(status)")
                if case .earlier = house.mistake.outcome {
                    #expect(status.contains("the last ones that worked are in force"), "\(house.mistake)")
                }
            }
        }

        private static func isHelpCalled(_ feed: FeedWatcher) -> Bool {
            feed.lines.values.contains { $0.event == "handed-over" && $0.channel == "mqtt" }
        }
    }
}

/// One question at a control socket.
enum ControlQuestion {
    static func ask(_ line: String, at path: String) async throws -> String {
        let answers = Recorder<String>()
        let descriptor = try LocalSocket.connect(to: path)
        let bytes = Array((line + "\n").utf8)
        send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        Thread.detachNewThread {
            for line in LineReader(descriptor) { answers.add(line) }
            close(descriptor)
        }
        return try await answers.first("the gateway's answer") { _ in true }
            .replacingOccurrences(of: "\\/", with: "/")
    }
}
