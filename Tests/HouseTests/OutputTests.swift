import Foundation
import GatewayModel
import Testing

@testable import Audio
@testable import HouseAlarm
@testable import SOSLocal

/// A directory of the test's own, removed at its end.
final class Directory {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "house-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
    func bytes(of file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(path)/\(file)")))
    }
}

@Suite struct `Sound into files` {
    private func play(_ pcm: PCM, _ label: String, on output: WAVOutput) throws {
        _ = try output.open()
        output.begin(label)
        for start in stride(from: 0, to: pcm.samples.count, by: 882) {
            try output.write(pcm.samples[start..<min(start + 882, pcm.samples.count)])
        }
        try output.end(isWhole: true)
    }

    @Test func `makes WAV files that another reader agrees with`() throws {
        let directory = try Directory()
        let output = WAVOutput(directory: "\(directory.path)/alarm")
        let tone = AlarmTones.pcm(.high, rate: try output.open(), amplitude: 0.5)
        try play(tone, "burst-high", on: output)
        try play(PCM(samples: [1, 2, 3], rate: 22_050), "speech", on: output)
        let inside = try FileManager.default.contentsOfDirectory(atPath: "\(directory.path)/alarm").sorted()
        #expect(inside == ["000001-burst-high.wav", "000002-speech.wav"])
        let path = "\(directory.path)/alarm/000001-burst-high.wav"
        let seen = try python(
            """
            import sys, wave
            w = wave.open(sys.argv[1])
            print(w.getnchannels(), w.getsampwidth(), w.getframerate(), w.getnframes(), len(w.readframes(10**9)))
            """, path)
        #expect(seen == "1 2 22050 \(tone.samples.count) \(tone.samples.count * 2)")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600, "it speaks of a person")
    }

    @Test func `goes on counting after a restart and keeps the newest`() throws {
        let directory = try Directory()
        for name in 0..<3 {
            let output = WAVOutput(directory: directory.path)
            for _ in 0..<50 { try play(PCM(samples: [Int16(name)], rate: 22_050), "speech", on: output) }
        }
        #expect(directory.files.count == WAVOutput.kept)
        #expect(directory.files.first == "000051-speech.wav" && directory.files.last == "000150-speech.wav")
    }

    @Test func `says why it cannot`() throws {
        let failure = #expect(throws: HouseFailure.self) { try WAVOutput(directory: "/proc/nowhere").open() }
        #expect(failure?.description.contains("/proc/nowhere") == true)
        #expect(failure?.description.contains("must be able to write") == true)
    }

    private func python(_ program: String, _ argument: String) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", program, argument]
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// On the real libasound, with its plugin that writes what is played into a file.
@Suite struct `Sound through ALSA` {
    private func device(_ path: String) -> String { "file:FILE=\(path),FORMAT=raw" }

    @Test func `plays every sample`() throws {
        let directory = try Directory()
        let path = "\(directory.path)/played.raw"
        let output = ALSAOutput(device: device(path))
        let rate = try output.open()
        #expect(rate == 22_050)
        let tone = AlarmTones.pcm(.medium, rate: rate, amplitude: 0.7)
        output.begin("burst-medium")
        for start in stride(from: 0, to: tone.samples.count, by: 882) {
            try output.write(tone.samples[start..<min(start + 882, tone.samples.count)])
        }
        try output.end(isWhole: true)
        output.close()
        let played = try directory.bytes(of: "played.raw")
        let samples = stride(from: 0, to: played.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(played[$0]) | UInt16(played[$0 + 1]) << 8)
        }
        #expect(samples == tone.samples)
    }

    @Test func `can be broken off and opened again`() throws {
        let directory = try Directory()
        let output = ALSAOutput(device: device("\(directory.path)/a.raw"))
        for _ in 0..<3 {
            _ = try output.open()
            try output.write(Array(repeating: Int16(7), count: 2_000)[...])
            try output.end(isWhole: false)
            try output.write(Array(repeating: Int16(7), count: 2_000)[...])
            output.close()
        }
        #expect(try !directory.bytes(of: "a.raw").isEmpty)
    }

    @Test func `says which device is missing and what to look at`() {
        let failure = #expect(throws: HouseFailure.self) { try ALSAOutput(device: "plughw:31,0").open() }
        #expect(failure?.description.contains("'plughw:31,0'") == true)
        #expect(failure?.description.contains("aplay -L") == true)
    }

    @Test func `is an error and no trap where it is not open`() {
        let output = ALSAOutput(device: "null")
        #expect(throws: HouseFailure.self) { try output.write([1, 2, 3]) }
        output.close()
    }
}
