import Audio
import GatewayModel
public import RealTime
import SOSLocal
import Synchronization

/// The alarm in the house: tones and words, a lamp and a button, each on a thread of its own, so that one that
/// fails or hangs holds up no other.
public final class HouseAnnunciator: Sendable {
    private let sounder: HouseSounder?
    private let lamp: HouseLamp?
    private let threads: [any HouseThread]
    private let health: [PartHealth]
    private let wakeup: Wakeup
    private let isStopping = Atomic(false)
    private let running = Atomic(0)

    /// How often it is looked whether a part has come back from its device.
    private static let watchInterval = Duration.seconds(2)
    /// A part that hangs is left behind: the process ends without it.
    private static let stopLimit = Duration.seconds(2)

    /// Opens nothing yet; what cannot be opened is told once it runs, and tried again.
    /// - Parameters:
    ///   - phrases: the words for it.
    /// - Throws: `SystemCallError` where the kernel has no descriptor left.
    public convenience init(
        _ settings: HouseAlarmSettings, phrases: HousePhrases, reports: HouseReports
    ) throws(SystemCallError) {
        let output: (@Sendable () -> any SoundOutput)? =
            switch settings.sound {
            case .off: nil
            case .device(let name): { @Sendable in ALSAOutput(device: name) }
            case .files(let directory): { @Sendable in WAVOutput(directory: directory) }
            }
        let voice = settings.voice.map { ESpeak(program: $0.program, speed: $0.speed) }
        try self.init(
            settings, phrases: phrases, output: output, voice: voice, lines: KernelLines(), reports: reports)
    }

    init(
        _ settings: HouseAlarmSettings, phrases: HousePhrases, output: (@Sendable () -> any SoundOutput)?,
        voice: (any Voice)?, lines: any GPIOLines, reports: HouseReports
    ) throws(SystemCallError) {
        wakeup = try Wakeup()
        var health: [PartHealth] = []
        func newHealth(of part: HousePart) -> PartHealth {
            let new = PartHealth(part, report: reports.works)
            health.append(new)
            return new
        }
        var speaker: Speaker?
        if output != nil, let voice { speaker = try Speaker(voice, health: newHealth(of: .voice)) }
        var sounder: HouseSounder?
        if let output {
            sounder = try HouseSounder(
                phrases: phrases, loudness: settings.loudness, output: output, speaker: speaker,
                health: newHealth(of: .sound), annunciated: { reports.annunciated($0, .sound, $1) })
        }
        var lamp: HouseLamp?
        if let line = settings.lamp {
            lamp = try HouseLamp(
                line, of: lines, health: newHealth(of: .lamp),
                annunciated: { reports.annunciated($0, .lamp, $1) })
        }
        var button: HouseButton?
        if let settings = settings.button {
            button = try HouseButton(
                settings, of: lines, health: newHealth(of: .button), pressed: reports.pressed)
        }
        (self.sounder, self.lamp, self.health) = (sounder, lamp, health)
        let parts: [(any HouseThread)?] = [sounder, lamp, button, speaker]
        threads = parts.compactMap(\.self)
    }

    /// From any thread, at once.
    public func say(_ word: HouseMessage) {
        sounder?.say(word)
        lamp?.say(word)
    }

    /// The lamp, where there is one, shows that the box hears tags; an alarm goes before. From any thread, at once.
    public func tagHeard() {
        lamp?.tagHeard()
    }

    /// Until `stop`. Once. Errors: `SystemCallError` where the kernel has no thread left.
    public func run() async throws(SystemCallError) {
        for thread in threads {
            running.add(1, ordering: .relaxed)
            do throws(SystemCallError) {
                _ = try NamedThread(thread.threadName) { [self] in
                    thread.loop()
                    running.subtract(1, ordering: .releasing)
                    wakeup.signal()
                }
            } catch {
                stop()
                throw error
            }
        }
        await (try NamedThread("house-watch") { [self] in watch() }).finished()
    }

    /// From any thread, any number of times. It is silent within a moment, and `run` returns then; after 2 s
    /// even where a device hangs.
    public func stop() {
        isStopping.store(true, ordering: .releasing)
        for thread in threads { thread.stop() }
        wakeup.signal()
    }

    private func watch() {
        let interests = [Poll.Interest(wakeup.descriptor)]
        while !isStopping.load(ordering: .acquiring) {
            _ = Poll.wait(interests, timeout: Self.watchInterval)
            wakeup.drain()
            for part in health { part.check(at: Clock.boot()) }
        }
        let end = Clock.boot().advanced(by: Self.stopLimit)
        while running.load(ordering: .acquiring) > 0, Clock.boot() < end {
            _ = Poll.wait(interests, timeout: max(Clock.boot().duration(to: end), .zero))
            wakeup.drain()
        }
    }
}

/// A part with a thread of its own.
protocol HouseThread: Sendable {
    /// Shown by `top -H`.
    var threadName: String { get }
    /// On that thread, until `stop`. Once.
    func loop()
    /// From any thread, any number of times.
    func stop()
}
