import Foundation
import TestSupport
import Testing

extension Integration {
    /// What a house hears besides the line on the console.
    @Suite struct Sound {
        /// Of the first such file; 0 where there is none.
        private static func bytes(of ending: String, in directory: ScratchDirectory) -> Int {
            let files = try? FileManager.default.contentsOfDirectory(
                at: directory.url, includingPropertiesForKeys: [.fileSizeKey])
            let first = files?.first { $0.lastPathComponent.hasSuffix(ending) }
            return (try? first?.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
        }

        @Test func `the alarm sounds, and is spoken`() async throws {
            let sound = try ScratchDirectory()
            var settings = HouseSettings()
            settings.sound = "wav_directory = \"\(sound.url.path)\""
            settings.abortWindow = 4
            try await House.with(settings) { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                try await house.rig.send(150)
                try await gateway.alarm()
                #expect(await eventually { Self.bytes(of: "-burst-high.wav", in: sound) > 1_000 })
                #expect(await eventually { Self.bytes(of: "-speech.wav", in: sound) > 1_000 })
                let status = try await house.command("status")
                #expect(!status.output.contains("heard in the house"), "\(status)")
            }
        }

        @Test func `a sentence is said as an alarm says it, or the reason is told`() async throws {
            let sound = try ScratchDirectory()
            var settings = HouseSettings()
            settings.sound = "wav_directory = \"\(sound.url.path)\""
            try await House.with(settings, without: ["gpsd", "broker"]) { house in
                let said = try await house.command("say", "Good morning, Maria.")
                #expect(said.code == 0 && said.output.contains("played by files in"), "\(said)")
                #expect(Self.bytes(of: "-say.wav", in: sound) > 10_000)
                let check = try await house.command("check")
                #expect(check.output.contains("ok       sound: files in"), "\(check)")
            }
            settings.sound = "sound_device = \"nosuchcard\""
            try await House.with(settings, without: ["gpsd", "broker"]) { house in
                let failed = try await house.command("say", "Good morning, Maria.")
                #expect(failed.code == 69 && failed.errors.contains("'nosuchcard'"), "\(failed)")
                let check = try await house.command("check")
                #expect(check.output.contains("PROBLEM  sound: opening the sound device"), "\(check)")
            }
        }

        @Test func `a house whose sound card is missing says so, and shows its alarms all the same`()
            async throws
        {
            var settings = HouseSettings()
            settings.sound = "sound_device = \"nosuchcard\""
            try await House.with(settings) { house in
                let gateway = try await house.start()
                try await house.status(showing: "An alarm cannot be heard in the house")
                try await house.rig.subscribed()
                try await house.rig.send(150)
                try await gateway.alarm()
                try await gateway.feed.first("annunciated")
                let status = try await house.command("status")
                #expect(!status.output.contains("Nobody in the house can be told"), "\(status)")
            }
        }
    }
}
