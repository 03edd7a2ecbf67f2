import Foundation
import GatewayModel
import RealTime
import Synchronization
import Testing

@testable import Audio
@testable import HouseAlarm
@testable import SOSLocal

/// A scripted sound output: records its input, and fails or hangs on request.
final class ScriptedSound: Sendable {
    let begun = Record<String>()
    let fails = Mutex<HouseFailure?>(nil)
    /// While it is true, a write does not return.
    let isHung = Atomic(false)

    func output() -> any SoundOutput { Output(self) }

    private final class Output: SoundOutput {
        let script: ScriptedSound
        init(_ script: ScriptedSound) { self.script = script }

        func open() throws(HouseFailure) -> Int {
            if let failure = script.fails.withLock({ $0 }) { throw failure }
            return 22_050
        }
        func begin(_ label: String) { script.begun.add(label) }
        func write(_ samples: ArraySlice<Int16>) throws(HouseFailure) {
            while script.isHung.load(ordering: .acquiring) { usleep(2_000) }
            if let failure = script.fails.withLock({ $0 }) { throw failure }
        }
        func end(isWhole: Bool) {}
        func close() {}
    }
}

private struct HungVoice: Voice {
    func render(_ utterance: Utterance) throws(HouseFailure) -> PCM {
        sleep(8)
        throw HouseFailure("late")
    }
}

/// A running house, with its reports.
private final class Running: Sendable {
    struct Heard: Sendable {
        let alarm: AlarmID
        let part: HousePart
        let instant: BootInstant
    }
    struct Health: Sendable {
        let part: HousePart
        let works: Bool
        let reason: String?
    }

    let heard = Record<Heard>()
    let health = Record<Health>()
    let presses = Record<ButtonPress>()
    let house: HouseAnnunciator
    private let task: Task<Void, any Error>

    init(
        _ settings: HouseAlarmSettings, sound: ScriptedSound, voice: (any Voice)? = nil,
        lines: any GPIOLines = KernelLines()
    ) throws {
        let house = try HouseAnnunciator(
            settings, phrases: House.phrases(), output: { sound.output() }, voice: voice, lines: lines,
            reports: Self.reports(heard, health, presses))
        self.house = house
        task = Task { try await house.run() }
    }

    init(_ settings: HouseAlarmSettings) throws {
        let house = try HouseAnnunciator(
            settings, phrases: House.phrases(),
            reports: Self.reports(heard, health, presses))
        self.house = house
        task = Task { try await house.run() }
    }

    private static func reports(
        _ heard: Record<Heard>, _ health: Record<Health>, _ presses: Record<ButtonPress>
    ) -> HouseReports {
        HouseReports(
            annunciated: { heard.add(Heard(alarm: $0, part: $1, instant: $2)) },
            works: { health.add(Health(part: $0, works: $1, reason: $2)) }, pressed: { presses.add($0) })
    }

    func stop() async throws {
        house.stop()
        try await task.value
    }
}

@Suite struct `The alarm in the house` {
    private static let lamp = GPIOLine(chip: "gpiochip0", offset: 17)
    private static let over = AlarmEnding.resolved(PersonAct(by: "Luca", means: .console), at: House.at(0))

    @Test func `is heard on ALSA, tone and words`() async throws {
        let directory = try Directory()
        let path = "\(directory.path)/played.raw"
        let running = try Running(HouseAlarmSettings(sound: .device("file:FILE=\(path),FORMAT=raw")))
        let notice = House.notice(windowEnd: Clock.boot().advanced(by: .seconds(60)), call: .notYet)
        running.house.say(.alarm(notice))
        let heard = try await running.heard.first { $0.alarm == notice.alarm && $0.part == .sound }
        #expect(heard != nil)
        _ = try await running.health.first { $0.part == .voice }
        #expect(running.health.all.filter { !$0.works }.isEmpty, "\(running.health.all)")
        // Longer than the burst: the speech has begun.
        let burst = AlarmTones.pcm(AlarmTones.opening, rate: 22_050, amplitude: 0.25)
        let bytes = try await grown(path, beyond: burst.samples.count * 2 + 22_050)
        try await running.stop()
        // The card is opened once for the test and once to play, and the plugin starts the file again.
        let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
        #expect(Array(samples.prefix(burst.samples.count)) == burst.samples)
        #expect(samples.dropFirst(burst.samples.count).contains { $0.magnitude > 1_000 })
    }

    @Test func `is written as files: burst and words, then that it is over`() async throws {
        let directory = try Directory()
        let running = try Running(HouseAlarmSettings(sound: .files(directory: directory.path)))
        let notice = House.notice(call: .trying)
        running.house.say(.alarm(notice))
        try await written("speech", in: directory)
        running.house.say(.ended(notice, Self.over))
        try await written("announcement", in: directory)
        try await running.stop()
        #expect(directory.files.prefix(2) == ["000001-burst-high.wav", "000002-speech.wav"])
        for file in directory.files { #expect(WaveFile.read(try directory.bytes(of: file)) != nil) }
    }

    @Test func `lights the lamp and tells the button while the sound hangs`() async throws {
        let sound = ScriptedSound()
        let lines = try ScriptedLines()
        let running = try Running(
            HouseAlarmSettings(
                sound: .off, lamp: Self.lamp, button: HouseAlarmSettings.Button(line: Self.lamp)),
            sound: sound, lines: lines)
        let notice = House.notice()
        sound.isHung.store(true, ordering: .releasing)
        defer { sound.isHung.store(false, ordering: .releasing) }
        running.house.say(.alarm(notice))
        _ = try await sound.begun.first { _ in true }
        let lit = try await running.heard.first { $0.part == .lamp }
        #expect(lit?.alarm == notice.alarm)
        lines.move(true)
        #expect(try await running.presses.first { $0.kind == .pressed } != nil)
        #expect(running.heard.all.allSatisfy { $0.part == .lamp }, "nothing was heard, and nothing is told so")
        // The hung part is abandoned.
        try await running.stop()
        #expect(lines.shown.all.last == false)
    }

    @Test func `tells of a device that does not come back`() throws {
        let told = Record<Running.Health>()
        let health = PartHealth(.sound) { told.add(Running.Health(part: $0, works: $1, reason: $2)) }
        health.tell(nil)
        try health.during { () throws(HouseFailure) in
            let now = Clock.boot()
            health.check(at: now.advanced(by: .seconds(5)))
            #expect(told.all.map(\.works) == [true])
            health.check(at: now.advanced(by: .seconds(11)))
            health.check(at: now.advanced(by: .seconds(12)))
            #expect(told.all.map(\.works) == [true, false])
            #expect(told.all.last?.reason?.contains("has not come back") == true)
        }
        health.tell(nil)
        health.tell(nil)
        #expect(told.all.map(\.works) == [true, false, true])
    }

    @Test func `sounds its tone again and again while the voice hangs`() async throws {
        let sound = ScriptedSound()
        let running = try Running(HouseAlarmSettings(sound: .off), sound: sound, voice: HungVoice())
        running.house.say(.alarm(House.notice()))
        let end = ContinuousClock.now.advanced(by: .seconds(60))
        while sound.begun.all.count < 2, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(20))
        }
        try await running.stop()
        #expect(sound.begun.all.prefix(2) == ["burst-high", "burst-high"])
    }

    @Test func `sounds as soon as a failed output is back, and tells both`() async throws {
        let sound = ScriptedSound()
        sound.fails.withLock { $0 = HouseFailure("no card") }
        let running = try Running(HouseAlarmSettings(sound: .off), sound: sound)
        let notice = House.notice()
        running.house.say(.alarm(notice))
        let failed = try await running.health.first { $0.part == .sound }
        #expect(failed?.works == false && failed?.reason == "no card")
        #expect(running.heard.all.isEmpty)
        sound.fails.withLock { $0 = nil }
        #expect(try await running.heard.first { $0.alarm == notice.alarm } != nil)
        #expect(try await running.health.first { $0.works } != nil)
        try await running.stop()
        #expect(running.heard.all.count == 1, "told once")
    }

    @Test func `tells the installer of a missing chip, card and voice, and goes on`() async throws {
        let running = try Running(
            HouseAlarmSettings(
                sound: .device("plughw:31,0"), lamp: GPIOLine(chip: "gpiochip987", offset: 1),
                button: HouseAlarmSettings.Button(line: GPIOLine(chip: "gpiochip987", offset: 2))))
        running.house.say(.alarm(House.notice()))
        for part in [HousePart.sound, .lamp, .button] {
            let told = try await running.health.first { $0.part == part }
            #expect(told?.works == false && told?.reason?.isEmpty == false)
        }
        try await running.stop()
        #expect(running.heard.all.isEmpty)
    }

    private func written(_ label: String, in directory: Directory) async throws {
        let end = ContinuousClock.now.advanced(by: .seconds(60))
        while !directory.files.contains(where: { $0.hasSuffix("-\(label).wav") }) {
            try #require(ContinuousClock.now < end, "no \(label) in \(directory.files)")
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func grown(_ path: String, beyond size: Int) async throws -> [UInt8] {
        let end = ContinuousClock.now.advanced(by: .seconds(60))
        while true {
            let bytes = (try? Data(contentsOf: URL(filePath: path))) ?? Data()
            if bytes.count > size { return Array(bytes) }
            try #require(ContinuousClock.now < end, "\(bytes.count) bytes were played")
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
