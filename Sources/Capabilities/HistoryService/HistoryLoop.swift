import GatewayModel
import RealTime
import Vault

/// Loop body of the history's thread: writes readings, and carries out requests. Made, used and dropped on that thread.
final class HistoryLoop {
    /// Interval of the writes: each write costs a few pages of an SD card for each series. A kill or a power cut takes the
    /// readings of one interval at most.
    private static let group = Duration.seconds(60)
    /// Pause between two attempts, after a failure of the disk or a missing key.
    private static let pause = Duration.seconds(10)
    /// Interval of the deletion by age.
    private static let ageing = Duration.seconds(3_600)

    private let path: String
    private let keys: HistoryKeyFiles
    private let cipher: any AuthenticatedCipher
    private let limits: HistoryWriter.Limits
    private let marks: StateMarks?
    private let inbox: HistoryInbox
    private let report: (HistoryWriter.Report) -> Void

    private var database: HistoryDatabase?
    private var failure: (HistoryFailure, at: BootInstant)?
    private var writtenAt: BootInstant?
    private var agedAt: BootInstant?
    private var unreadable = 0
    private var isRotationSaid = true

    init(
        path: String, keys: HistoryKeyFiles, cipher: any AuthenticatedCipher, limits: HistoryWriter.Limits,
        marks: StateMarks? = nil, inbox: HistoryInbox, report: @escaping (HistoryWriter.Report) -> Void
    ) {
        (self.path, self.keys, self.cipher) = (path, keys, cipher)
        (self.limits, self.marks, self.inbox, self.report) = (limits, marks, inbox, report)
    }

    /// Does the work that is due.
    ///
    /// - Parameter isLast: true in the last turn, which writes everything.
    /// - Returns: time until the next turn, where no request comes before.
    func turn(isLast: Bool, at now: Moment) -> Duration {
        let requests = inbox.takeRequests()
        if let (failure, at) = failure, !isLast, at.duration(to: now.boot) < Self.pause {
            for request in requests { request.refuse(failure) }
            return Self.pause - at.duration(to: now.boot)
        }
        var open = requests[...]
        do throws(HistoryFailure) {
            let database = try opened()
            let isDue = writtenAt.map { $0.duration(to: now.boot) >= Self.group } ?? true
            if isDue || isLast || !requests.isEmpty { try write(to: database, at: now.boot) }
            while let request = open.first {
                try carryOut(request)
                open = open.dropFirst()
            }
            let hasMore = isLast ? false : try lookAfter(self.database ?? database, at: now)
            if failure != nil { report(.off(nil)) }
            failure = nil
            tellUnreadable()
            return hasMore ? .zero : Self.group
        } catch {
            for request in open { request.refuse(error) }
            return recover(from: error, at: now)
        }
    }

    func close() {
        do throws(DiskFailure) {
            try database?.close()
        } catch {
            report(.off(.disk(error)))
        }
    }

    private func opened() throws(HistoryFailure) -> HistoryDatabase {
        if let database { return database }
        let (keys, made) = try self.keys.load()
        if let made { report(.keyMade(path: made)) }
        let database = try HistoryDatabase(at: path, keys: keys, cipher: cipher, marks: marks)
        if let loss = database.loss { report(.lost(loss)) }
        self.database = database
        isRotationSaid = !database.isRotating
        return database
    }

    private func write(to database: HistoryDatabase, at now: BootInstant) throws(HistoryFailure) {
        let (readings, dropped) = inbox.takeReadings()
        let positions = inbox.takePositions()
        if dropped > 0 { report(.dropped(dropped)) }
        do throws(DiskFailure) {
            // Again after a failure, both replace themselves.
            if !readings.isEmpty { try database.keep(readings) }
            if !positions.isEmpty { try database.keep(positions) }
            writtenAt = now
        } catch {
            inbox.putBack(readings)
            inbox.putBack(positions)
            throw .disk(error)
        }
    }

    private func carryOut(_ request: HistoryInbox.Request) throws(HistoryFailure) {
        let database = try opened()
        do throws(DiskFailure) {
            switch request {
            case .page(let query, let answer): answer(.success(try database.page(query)))
            case .locations(let person, let from, let to, let answer):
                answer(.success(try database.locations(of: person, from: from, to: to)))
            case .erase(let person, let answer): answer(.success(try database.erase(person)))
            // The turn has written them.
            case .keep(let answer): answer(true)
            case .rotate(let answer): answer(rotate(database))
            }
        } catch {
            throw .disk(error)
        }
    }

    // MARK: Key

    private func rotate(_ database: HistoryDatabase) -> Result<Void, HistoryFailure> {
        guard keys.isOwn else {
            return .failure(
                .key(
                    "the key is given to the gateway: give it the new one, the one before as previous_key_file "
                        + "(or the credential history-key-previous), and restart it"))
        }
        guard !database.isRotating else { return .failure(.key("the key is being changed already")) }
        do throws(HistoryFailure) {
            try keys.beginRotation()
            try? database.close()
            self.database = nil
            _ = try opened()
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Does one short piece of upkeep.
    ///
    /// - Returns: whether there is more.
    private func lookAfter(_ database: HistoryDatabase, at now: Moment) throws(HistoryFailure) -> Bool {
        do throws(DiskFailure) {
            if try database.rotate() > 0 { return true }
            if !isRotationSaid {
                report(.rotated)
                isRotationSaid = true
            }
            try keys.endRotation()
            if let agedAt, agedAt.duration(to: now.boot) < Self.ageing { return false }
            if try database.rollUp(at: now.wall) { return true }
            if try database.letGoOfRaw(olderThan: limits.raw, at: now.wall) { return true }
            if try database.letGoOfLocations(olderThan: limits.raw, at: now.wall) { return true }
            if try database.letGoOfRollUps(olderThan: limits.rollUps, at: now.wall) { return true }
            agedAt = now.boot
            return false
        } catch {
            throw .disk(error)
        }
    }

    // MARK: Failure

    private func tellUnreadable() {
        guard let count = database?.unreadable, count > unreadable else { return }
        unreadable = count
        report(.unreadable(count))
    }

    private func recover(from error: HistoryFailure, at now: Moment) -> Duration {
        report(.off(error))
        failure = (error, now.boot)
        guard case .disk(let damage) = error, damage.isDamage else { return Self.pause }
        do throws(HistoryFailure) {
            try? database?.close()
            database = nil
            let (keys, _) = try self.keys.load()
            let (fresh, aside) = try HistoryDatabase.replace(
                at: path, keys: keys, cipher: cipher, at: now.wall, marks: marks)
            (database, failure, unreadable) = (fresh, nil, 0)
            report(.replaced(asidePath: aside, because: damage))
            report(.off(nil))
            return .zero
        } catch {
            report(.off(error))
            return Self.pause
        }
    }
}

extension HistoryInbox.Request {
    fileprivate func refuse(_ failure: HistoryFailure) {
        switch self {
        case .page(_, let answer): answer(.failure(failure))
        case .locations(_, _, _, let answer): answer(.failure(failure))
        case .erase(_, let answer): answer(.failure(failure))
        case .keep(let answer): answer(false)
        case .rotate(let answer): answer(.failure(failure))
        }
    }
}
