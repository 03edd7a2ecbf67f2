import BrokerSupport
import Ciphers
import Consent
import Foundation
import GatewayModel
import MQTTBridge
import RaceSimulation
import RunBeacon
import TagAdverts
import TestSupport
import Testing
import Vault
import WireFormats

@testable import Alarms
@testable import Contract
@testable import Hub
@testable import OutboxService
@testable import Race
@testable import RealTime

/// From the seam at which the scanner hands adverts on, through threads, disk and queue, to a subscriber of Debian's
/// Mosquitto. The BLE rig covers the radio before it.
@Suite(.enabled(if: MosquittoProcess.isInstalled), .serialized) struct `A race up to the broker` {
    /// It began so long ago that all of it has been heard.
    private static func town() -> FieldRun {
        let ago = Duration.seconds(240)
        let now = Clock.moment()
        return FieldRun(
            Field(.small), boot: now.boot.advanced(by: .zero - ago),
            wall: WallTime(millisecondsSince1970: now.wall.millisecondsSince1970 - ago.wholeMilliseconds))
    }

    /// The parts of the gateway that a passing goes through, made as the gateway makes them.
    private struct Box {
        let gate = ConsentGate(ledger: ConsentLedger(persons: []))
        let broker = BrokerSwitch(isOpen: true)
        let queue: OutboundQueue
        let recorder: PassingRecorder
        let race: RaceThread
        let time: RaceTime

        init(_ town: FieldRun, in directory: String) throws {
            let (gate, topics) = (gate, Topics(gateway: FieldRun.box))
            let queue = OutboundQueue(gate: gate, wake: broker.wake)
            let place = PassingPlace(directory: directory, gateway: FieldRun.box, boot: "this")
            let inbox = try RaceInbox()
            let recorder = try PassingRecorder(in: place) { record in
                if let cleared = try? gate.clear(Envelope.passing(record.passing, topics: topics)) {
                    queue.enqueue(cleared)
                }
            } onRecall: {
                inbox.put(.recalled($0.records))
            } onHealth: { _ in
            }
            let time = RaceTime { recorder.note(.clock($0.mark)) }
            let tracker = RaceTracker(
                gateway: FieldRun.box, boot: "this", clock: time,
                recogniser: AdvertRecogniser(cipher: OpenSSLCipher()),
                makeID: { .random(at: $0) })
            race = RaceThread(inbox: inbox) { inbox, publish in
                RaceLoop(
                    tracker, inbox: inbox, silence: .seconds(600), cipher: OpenSSLCipher(),
                    reports: RaceLoop.Reports(
                        keep: { recorder.keep($0) }, listens: { _ in }, holds: { _, _ in }, heard: {},
                        dropped: { _ in }, overdue: { _ in }, turned: { recorder.recall(Set($0)) }),
                    publish: publish)
            }
            (self.queue, self.recorder, self.time) = (queue, recorder, time)
            for second in stride(from: -20.0, to: 0, by: 1) {
                time.look(
                    KernelClock(
                        boot: town.instant(second), wall: town.time(second).millisecondsSince1970 * 1_000_000,
                        spread: .zero, discipline: .program, maximumError: .milliseconds(5),
                        estimatedError: .milliseconds(1)))
            }
        }

        func follow(_ book: RunCatalog) {
            gate.enrol(Enrolments(book.enrolments))
            race.inbox.put(.runs(book))
        }

        /// Until `body` returns; then the threads end in the order of the gateway's.
        func run(_ body: @Sendable () async throws -> Void) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await race.run() }
                defer {
                    race.stop()
                    recorder.stop()
                }
                group.addTask { try await recorder.run() }
                try await body()
            }
        }
    }

    /// An independent program that has subscribed to the passings of the run.
    private struct Subscriber {
        private struct Told: Decodable {
            let id: String
            let bib: Int
            let order: Int?
        }

        private let broker: MosquittoProcess
        private let child: ChildProcess

        init(_ broker: MosquittoProcess) throws {
            self.broker = broker
            child = try ChildProcess(
                "/usr/bin/mosquitto_sub",
                [
                    "-p", "\(broker.port)", "-i", "organiser", "-q", "1", "-F", "%p", "-t",
                    Topics(gateway: FieldRun.box).passings(of: FieldRun.run),
                ], output: broker.scratch.file("organiser.log"))
        }

        var isSubscribed: Bool {
            get async { await eventually { broker.log.contains("Sending SUBACK to organiser") } }
        }

        private var told: [Told] {
            child.text.split(separator: "\n").compactMap {
                try? JSONDecoder().decode(Told.self, from: Data($0.utf8))
            }
        }

        var ids: Set<String> { Set(told.map(\.id)) }

        /// A message that is repeated under its id is one.
        var times: [FieldRun.PassingKey: Int] {
            let byID = Dictionary(told.map { ($0.id, $0) }) { first, _ in first }
            return byID.values.reduce(into: [:]) {
                $0[FieldRun.PassingKey(bib: $1.bib, order: $1.order), default: 0] += 1
            }
        }
    }

    /// The broker goes on: messages that it loses by dying itself are not the gateway's to keep.
    @Test func `each passing is in the log and at a subscriber, once, over lines that break`() async throws {
        let town = Self.town()
        let broker = try MosquittoProcess()
        try await broker.start()
        let subscriber = try Subscriber(broker)
        #expect(await subscriber.isSubscribed)
        // A passing has some 600 bytes: in the middle of the first, and of later ones.
        let relay = CuttingRelay(to: broker.port, cutAfter: [500, 2_500, 5_500])
        defer { relay.stop() }
        let scratch = try ScratchDirectory()
        let box = try Box(town, in: scratch.url.path)
        let running = try RunningSession(.local(relay.port), OutboxDelivery(box.queue))
        let expected = town.expected.values.reduce(0, +)
        try await running.run(drain: .seconds(5)) {
            box.broker.setSession(running.session)
            try await box.run {
                box.follow(town.book())
                let adverts = town.adverts
                box.race.inbox.put(Array(adverts.prefix(adverts.count / 2)))
                #expect(await eventually { subscriber.ids.count >= 4 })
                box.race.inbox.put(Array(adverts.dropFirst(adverts.count / 2)))
                #expect(await eventually { subscriber.ids.count >= expected })
            }
        }
        #expect(relay.cuts.values.count >= 3)
        let report = try PassingReport(of: scratch.url.path)
        #expect(FieldRun.times(report.passings) == town.expected && report.flaws.isEmpty)
        #expect(subscriber.times == town.expected)
    }
}
