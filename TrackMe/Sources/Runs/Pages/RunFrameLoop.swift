import GatewayModel
import Logging
import RunBeacon
public import ServiceLifecycle
import Store

/// Makes a frame a second of each run that somebody watches, and tells its pages when the standings have changed. All pages
/// of a run share the bytes.
public struct RunFrameLoop: Service {
    private static let tick = Duration.milliseconds(250)
    /// Shortest time between two frames of a run; after a withdrawal the next tick makes one.
    private static let interval = Duration.milliseconds(900)
    /// Expected times at the next point move without a message: the pages load them this often.
    private static let refresh = Duration.seconds(10)

    /// State of a run at its last frame.
    struct Sent: Sendable {
        let at: BootInstant
        let marks: RunHub.Marks
        let standings: StandingsState
        let loaded: BootInstant
        let bytes: [UInt8]
        let isUnderway: Bool
    }

    /// Content of the pages beside the frame. A change of it makes the pages load their part.
    struct StandingsState: Hashable, Sendable {
        let rows: [Standing]
        let lost: [Bib: WallTime]
        let version: Int
        let state: RunState
        let participants: Int
    }

    private let frames: RunFrames
    private let hub: RunHub
    private let clock: @Sendable () -> BootInstant
    private let logger: Logger

    init(frames: RunFrames, hub: RunHub, clock: @escaping @Sendable () -> BootInstant, logger: Logger) {
        (self.frames, self.hub, self.clock, self.logger) = (frames, hub, clock, logger)
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            var sent: [RunID: Sent] = [:]
            while !Task.isCancelled {
                await round(&sent)
                try? await Task.sleep(for: Self.tick)
            }
        }
    }

    /// Looks at the watched runs once.
    func round(_ sent: inout [RunID: Sent]) async {
        let watched = hub.watched
        sent = sent.filter { watched.contains($0.key) }
        for run in watched {
            do {
                try await look(at: run, &sent[run])
            } catch is CancellationError {
                return
            } catch {
                logger.error("a run has no frame", metadata: ["error": "\(error)"])
            }
        }
    }

    private func look(at run: RunID, _ sent: inout Sent?) async throws {
        let (now, marks) = (clock(), hub.marks(of: run))
        if let sent {
            let isDue = sent.at.duration(to: now) >= Self.interval && (sent.isUnderway || sent.marks != marks)
            guard isDue || sent.marks.withdrawals != marks.withdrawals else { return }
        }
        guard let shown = try await frames.fresh(run) else { return }
        let bytes = RunFrame(shown.picture).event
        let standings = StandingsState(
            rows: shown.picture.rows, lost: shown.picture.lost, version: shown.run.version,
            state: shown.state, participants: shown.run.participants)
        let isUnderway = shown.state == .underway
        let isOld = isUnderway && (sent.map { $0.loaded.duration(to: now) >= Self.refresh } ?? false)
        let isChange = sent.map { $0.standings != standings } ?? false || isOld
        hub.publish(
            sent?.bytes == bytes && sent?.marks.withdrawals == marks.withdrawals ? nil : bytes,
            isChange: isChange, of: run)
        sent = Sent(
            at: now, marks: marks, standings: standings, loaded: isChange ? now : sent?.loaded ?? now,
            bytes: bytes, isUnderway: isUnderway)
    }
}

/// Places of all runners at one instant, as the open pages get them: some 14 bytes a runner.
struct RunFrame {
    private static let mostDots = 500

    /// Server-sent event `frame`.
    let event: [UInt8]

    init(_ picture: RunPicture) {
        var dots: [String] = []
        if let shape = picture.shape {
            let scale = MapScale(shape)
            for row in picture.rows {
                guard dots.count < Self.mostDots, let place = picture.places[row.bib],
                    let point = place.point
                else { continue }
                let at = scale.place(point)
                dots.append("[\(row.bib),\(at.x),\(at.y),\(place.isLocated ? 1 : 0)]")
            }
        }
        event = Array("event: frame\ndata: {\"d\":[\(dots.joined(separator: ","))]}\n\n".utf8)
    }
}
