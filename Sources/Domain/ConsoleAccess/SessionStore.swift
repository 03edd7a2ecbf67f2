package import ControlContract
package import GatewayModel
package import PageSecurity

/// Session of a paired device, as the console keeps it.
package struct PairedSession: Hashable, Sendable {
    package let id: SessionID
    package let session: ControlSession
    package let paired: WallTime
    /// Last request. The file has it to the hour.
    package internal(set) var lastSeen: WallTime
    /// The last request of the file.
    fileprivate var written: WallTime

    init(id: SessionID, session: ControlSession, paired: WallTime, lastSeen: WallTime) {
        (self.id, self.session, self.paired) = (id, session, paired)
        (self.lastSeen, written) = (lastSeen, lastSeen)
    }
}

/// Sessions of the console. Pure; its text is the content of the console's file.
package struct SessionStore: Sendable {
    /// Error of a file or of a pairing, in words for the installer. It names no person.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Maximum number of sessions: some for each person of a house, and bounded memory.
    package static let capacity = 64
    /// Maximum size of the file in bytes: `capacity` lines with names of 100 characters of 4 bytes fit.
    package static let maximumBytes = 65_536
    /// Interval for writing the time of the last request: a page that is open must not wear out the card.
    private static let seenInterval = Duration.seconds(3_600)

    private let idleLimit: Duration
    package private(set) var sessions: [PairedSession] = []

    /// - Parameter idleLimit: time without a request that ends a session. The room's session never ends by it.
    package init(idleLimit: Duration = .seconds(180 * 86_400)) {
        self.idleLimit = idleLimit
    }

    /// Adds the session of a new pairing. If the store is full, the longest idle session gives way; a room's and a
    /// person's never do.
    /// - Returns: the session that gave way.
    package mutating func add(
        _ token: SessionToken, for session: ControlSession, at now: WallTime
    ) throws(Failure) -> PairedSession? {
        removeIdle(at: now)
        var removed: PairedSession?
        if sessions.count >= Self.capacity {
            let idlest = sessions.indices.filter { sessions[$0].givesWay }
                .min { sessions[$0].lastSeen < sessions[$1].lastSeen }
            guard let idlest else {
                throw Failure(
                    description:
                        "saw \(sessions.count) paired devices of rooms and persons, expected fewer than "
                        + "\(Self.capacity); end one with 'homegateway-console revoke'")
            }
            removed = sessions.remove(at: idlest)
        }
        sessions.append(PairedSession(id: token.id, session: session, paired: now, lastSeen: now))
        return removed
    }

    /// Session of a token, or nil. Records the request.
    /// - Returns: `writes` is true if the file has to be written for the new time.
    package mutating func use(_ token: SessionToken, at now: WallTime) -> (
        session: ControlSession, writes: Bool
    )? {
        let id = token.id
        guard let index = sessions.firstIndex(where: { $0.id.hash.isEqualInConstantTime(to: id.hash) }),
            !isIdle(sessions[index], at: now)
        else { return nil }
        // A clock that was set back makes `age` negative: the session stays, and the earlier time is not kept.
        sessions[index].lastSeen = max(sessions[index].lastSeen, now)
        let writes = PairedSession.age(of: sessions[index].written, at: now) >= Self.seenInterval
        if writes { sessions[index].written = now }
        return (sessions[index].session, writes)
    }

    /// Ends the session with these first digits of its ID.
    /// Errors: no session or several sessions begin with them, or they are fewer than 8.
    package mutating func revoke(_ short: String) throws(Failure) -> PairedSession {
        let found = sessions.indices.filter { sessions[$0].id.short == short.lowercased() }
        guard found.count == 1, let index = found.first else {
            throw Failure(
                description: "saw \(found.count) sessions '\(Shown.text(short))', expected one; "
                    + "take the 8 digits of 'homegateway-console sessions'")
        }
        return sessions.remove(at: index)
    }

    /// Removes the sessions that were idle for too long.
    package mutating func removeIdle(at now: WallTime) {
        sessions = sessions.filter { !isIdle($0, at: now) }
    }

    private func isIdle(_ session: PairedSession, at now: WallTime) -> Bool {
        session.session.role != .room && session.age(at: now) >= idleLimit
    }
}

extension PairedSession {
    /// The room and the person must not be locked out by pairings of others.
    fileprivate var givesWay: Bool { session.role != .room && session.role != .person }

    fileprivate func age(at now: WallTime) -> Duration { Self.age(of: lastSeen, at: now) }

    fileprivate static func age(of time: WallTime, at now: WallTime) -> Duration {
        let (age, overflows) = now.millisecondsSince1970.subtractingReportingOverflow(
            time.millisecondsSince1970)
        return overflows ? .zero : .milliseconds(age)
    }
}

// The file: a heading, one line a session with fields between tabs, and a last line with the number of sessions, so
// that a file that was cut off is not read as a shorter one. A name has no control characters, and so no tab.
extension SessionStore {
    private static let heading = "homegateway-console sessions 1"

    /// Content of the file.
    package var text: String {
        var lines = [Self.heading]
        for kept in sessions {
            lines.append(
                [
                    Base64URL.encode(kept.id.hash), kept.session.role.rawValue,
                    kept.session.person?.text ?? "-",
                    String(kept.paired.millisecondsSince1970), String(kept.lastSeen.millisecondsSince1970),
                    kept.session.name,
                ].joined(separator: "\t"))
        }
        lines.append("end \(sessions.count)")
        return lines.joined(separator: "\n") + "\n"
    }

    /// Reads the content of the file. A damaged file opens no session at all: half a list could hide a revocation.
    package init(bytes: [UInt8], idleLimit: Duration = .seconds(180 * 86_400)) throws(Failure) {
        self.init(idleLimit: idleLimit)
        guard bytes.count <= Self.maximumBytes, let text = String(validating: bytes, as: UTF8.self) else {
            throw Self.damage(line: 1, "\(bytes.count) bytes", "at most \(Self.maximumBytes) bytes of UTF-8")
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.first.map(String.init) == Self.heading else {
            throw Self.damage(line: 1, "another heading", "'\(Self.heading)'")
        }
        guard lines.count >= 3, lines.last == "", lines[lines.count - 2] == "end \(lines.count - 3)",
            lines.count - 3 <= Self.capacity
        else {
            throw Self.damage(
                line: lines.count, "another end", "'end' and the number of sessions, at most \(Self.capacity)")
        }
        for (index, line) in lines.enumerated().dropFirst().dropLast(2) {
            guard let session = Self.session(line), !sessions.contains(where: { $0.id == session.id }) else {
                throw Self.damage(line: index + 1, "another form", "a session that no other line has")
            }
            sessions.append(session)
        }
    }

    private static func session(_ line: Substring) -> PairedSession? {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 6, let hash = Base64URL.decode(String(fields[0])), hash.count == SessionID.length,
            let role = ControlSession.Role(rawValue: String(fields[1])),
            let paired = Int64(fields[3]), let seen = Int64(fields[4])
        else { return nil }
        let person = PersonID(String(fields[2]))
        guard fields[2] == "-" || person != nil,
            let session = try? ControlSession(
                role: role, person: fields[2] == "-" ? nil : person, name: String(fields[5]))
        else { return nil }
        return PairedSession(
            id: SessionID(hash: hash), session: session, paired: WallTime(millisecondsSince1970: paired),
            lastSeen: WallTime(millisecondsSince1970: seen))
    }

    private static func damage(line: Int, _ seen: String, _ expected: String) -> Failure {
        Failure(
            description:
                "sessions line \(line): saw \(seen), expected \(expected). The file is damaged, and no device "
                + "is admitted. Restore it, or delete it and pair the devices again.")
    }
}
