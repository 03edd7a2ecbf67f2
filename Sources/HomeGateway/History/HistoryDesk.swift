import Alarms
import GatewayModel
import Hub
import RealTime
import Vault

/// What the history's thread does, turn by turn. Made, used and dropped on that thread.
final class HistoryDesk {
    /// How long readings wait for each other: each group costs a few pages of an SD card for each series. It is
    /// what a kill or a power cut takes at most.
    private static let group = Duration.seconds(60)
    /// Between two attempts, at a disk that failed and at a key that is not there.
    private static let pause = Duration.seconds(10)
    /// How often the age of what is kept is looked at.
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

    /// - Parameter isLast: nothing is put off any more.
    /// - Returns: how long there is nothing to do unless somebody asks.
    func turn(isLast: Bool, at now: Moment) -> Duration {
        let errands = inbox.takeErrands()
        if let (failure, at) = failure, !isLast, at.duration(to: now.boot) < Self.pause {
            for errand in errands { errand.refuse(failure) }
            return Self.pause - at.duration(to: now.boot)
        }
        var open = errands[...]
        do throws(HistoryFailure) {
            let database = try opened()
            let isDue = writtenAt.map { $0.duration(to: now.boot) >= Self.group } ?? true
            if isDue || isLast || !errands.isEmpty { try write(to: database, at: now.boot) }
            while let errand = open.first {
                try carryOut(errand)
                open = open.dropFirst()
            }
            let hasMore = isLast ? false : try lookAfter(self.database ?? database, at: now)
            if failure != nil { report(.off(nil)) }
            failure = nil
            tellUnreadable()
            return hasMore ? .zero : Self.group
        } catch {
            for errand in open { errand.refuse(error) }
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
        if dropped > 0 { report(.dropped(dropped)) }
        do throws(DiskFailure) {
            if !readings.isEmpty { try database.keep(readings) }
            writtenAt = now
        } catch {
            inbox.putBack(readings)
            throw .disk(error)
        }
    }

    private func carryOut(_ errand: HistoryInbox.Errand) throws(HistoryFailure) {
        let database = try opened()
        do throws(DiskFailure) {
            switch errand {
            case .page(let query, let answer): answer(.success(try database.page(query)))
            case .erase(let person, let answer): answer(.success(try database.erase(person)))
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

    /// One short piece of work that nobody waits for.
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

extension HistoryInbox.Errand {
    fileprivate func refuse(_ failure: HistoryFailure) {
        switch self {
        case .page(_, let answer): answer(.failure(failure))
        case .erase(_, let answer): answer(.failure(failure))
        case .rotate(let answer): answer(.failure(failure))
        }
    }
}
