import Contract
package import GatewayModel
package import RunBeacon

/// State of one run for its pages: course, standings and places of the runners. Times are milliseconds since 1970.
///
/// A long start list comes in parts: `next` is the first row of the next part. Only the first part has more than rows.
package struct RaceDocument: FieldDocument {
    package static var field: ControlFields.Name { "race" }

    /// Line of the course on a plane in metres, north up: east of the western edge, south of the northern edge.
    package struct Line: Codable, Hashable, Sendable {
        package let width, height: Int
        /// x and y of each point in turn.
        package let points: [Int]

        package init(_ shape: CourseShape) {
            (width, height) = (shape.width, shape.height)
            points = shape.points.flatMap { [$0.x, $0.y] }
        }
    }

    /// A point at which runners are timed.
    package struct Point: Codable, Hashable, Sendable {
        package let checkpoint, name: String
        package let order: Int
        package let distanceM: Double
        /// Place on the plane of the line; nil without a course.
        package let x, y: Int?
        /// Box that stands there, as the file of the run says; and whether it is this one.
        package internal(set) var box: String?
        package let isHere: Bool

        package init(_ point: RunPoint, of run: Run, at place: CourseShape.Point?, here: CheckpointID?) {
            (checkpoint, order, distanceM) = (point.checkpoint.text, point.order, point.distance)
            name = point.name(among: run.points)
            (x, y) = (place?.x, place?.y)
            box = run.checkpoints.first { $0.id == point.checkpoint }?.box?.text
            isHere = here == point.checkpoint
        }
    }

    /// Place of a runner between two points: measured, or projected by the pace of the last leg.
    package struct Place: Codable, Hashable, Sendable {
        package let bib: Int
        package let isLocated: Bool
        /// Metres from the start; nil off the course.
        package let distanceM: Int?
        package let x, y: Int?
        /// Seconds per kilometre.
        package let perKilometre: Int?
        /// Name of the next point, with the expected time there and its error bound.
        package let next: String?
        package let expected, boundMs: Int64?
        /// Age of the measurement.
        package let ageMs: Int64?

        package init(
            _ bib: Bib, _ projection: SplitProjection, points: [RunPoint], at place: CourseShape.Point?
        ) {
            (self.bib, isLocated, ageMs) = (bib.number, false, nil)
            (distanceM, perKilometre) = (
                Int(projection.distance.rounded()), Int(projection.secondsPerKilometre.rounded())
            )
            (x, y) = (place?.x, place?.y)
            (next, expected) = (
                projection.next.name(among: points), projection.expected.millisecondsSince1970
            )
            boundMs = projection.bound.boundMilliseconds
        }

        package init(
            _ bib: Bib, _ position: RunnerPosition, points: [RunPoint], at place: CourseShape.Point?,
            _ now: BootInstant
        ) {
            (self.bib, isLocated) = (bib.number, true)
            distanceM = position.distance.map { Int($0.rounded()) }
            perKilometre = position.secondsPerKilometre.map { Int($0.rounded()) }
            (x, y) = (place?.x, place?.y)
            let passed = position.distance ?? 0
            let point = position.next.flatMap { next in
                points.first { $0.checkpoint == next.checkpoint && $0.distance > passed }
            }
            next = point?.name(among: points) ?? position.next?.checkpoint.text
            (expected, boundMs) = (
                position.next?.time.millisecondsSince1970, position.next?.bound.boundMilliseconds
            )
            ageMs = max(0, position.measured.boot.duration(to: now).wholeMilliseconds)
        }
    }

    /// Readings of a runner that the runner has granted to the spectators of the run.
    package struct Vitals: Codable, Sendable {
        package let bib: Int
        package let values: [RunnerVitals.Value]

        package init(_ bib: Bib, _ values: [RunnerVitals.Value]) {
            (self.bib, self.values) = (bib.number, values)
        }
    }

    /// A correction of the results by a person.
    package struct Correction: Codable, Hashable, Sendable {
        package let number, bib: Int
        /// `add`, `strike`, `dns`, `dnf`, `dsq` or `undo`.
        package let act: String
        /// For `add`: the point, the time and its error bound.
        package let checkpoint: String?
        package let order: Int?
        package let time, boundMs: Int64?
        /// For `strike`.
        package let passing: String?
        /// For `undo`: the number of the other correction.
        package let undoes: Int?
        package let by, reason: String
        package let at: Int64
        /// False for one that another one undoes.
        package let counts: Bool

        package init(_ correction: RaceCorrection, counts: Bool) {
            (number, bib) = (correction.number, correction.bib.number)
            (by, reason, at) = (correction.by, correction.reason, correction.at.millisecondsSince1970)
            self.counts = counts
            let record = CorrectionRecord(correction.act)
            (act, checkpoint, order, time) = (record.act ?? "", record.checkpoint, record.order, record.time)
            (boundMs, passing, undoes) = (record.boundMs, record.passing, record.number)
        }
    }

    /// State of this box in the run, for the organiser.
    package struct Box: Codable, Hashable, Sendable {
        package struct Radio: Codable, Hashable, Sendable {
            package let name: String
            package let canHear, isQuiet: Bool
            package let readsPerMinute: Int
            package let lastAgeMs: Int64?

            package init(_ radio: RaceStatus.Radio, at now: BootInstant) {
                (name, canHear, isQuiet) = (radio.name, radio.canHear, radio.isQuiet)
                readsPerMinute = radio.readsPerMinute
                lastAgeMs = radio.last.map { max(0, $0.duration(to: now).wholeMilliseconds) }
            }
        }

        package struct Overdue: Codable, Hashable, Sendable {
            package let bib: Int
            package let checkpoint: String
            package let order: Int
            package let lastHeard: Int64?

            package init(_ runner: OverdueRunner) {
                (bib, checkpoint, order) = (runner.owner.bib.number, runner.checkpoint.text, runner.order)
                lastHeard = runner.lastHeard?.millisecondsSince1970
            }
        }

        /// Maximum number of bibs in each list. More are a start that was not heard.
        package static let most = 200

        package let gateway: String
        package let readsPerMinute: Int
        /// Time since the last tag was heard; nil for never.
        package let lastHeardAgeMs: Int64?
        /// A `ClockSource`; error bound of the clock, nil where it was never set.
        package let clock: String
        package let clockBoundMs: Int64?
        /// Sources that contradict the clock.
        package let disputing: [String]
        /// Empty where the box has one radio.
        package let radios: [Radio]
        /// Numbers of runners with a tag that was heard, and of those without; bibs of the latter, up to `most`.
        package let heard, notHeard: Int
        package let notHeardBibs: [Int]
        package let overdueCount: Int
        package let overdue: [Overdue]

        /// Nil where the run is not underway.
        package init?(_ status: RaceStatus, of run: RunID, gateway: GatewayID, at now: BootInstant) {
            guard let timed = status.underway.first(where: { $0.id == run }) else { return nil }
            self.gateway = gateway.text
            readsPerMinute = status.readsPerMinute
            lastHeardAgeMs = status.last.map { max(0, $0.hit.arrival.duration(to: now).wholeMilliseconds) }
            (clock, clockBoundMs) = (status.clock.source.rawValue, status.clock.bound?.boundMilliseconds)
            disputing = status.disputing.map(\.rawValue).sorted()
            radios = status.radios.map { Radio($0, at: now) }
            (heard, notHeard) = (timed.heard, timed.unheard.count)
            notHeardBibs = timed.unheard.prefix(Self.most).map(\.number)
            let late = status.overdue.filter { $0.owner.run == run }
            (overdueCount, overdue) = (late.count, late.prefix(Self.most).map(Overdue.init))
        }
    }

    /// Maximum number of rows and of splits in one part: some 120 kB, which takes the control thread some milliseconds.
    package static let mostRows = 100
    package static let mostSplits = 600
    /// Maximum number of corrections that are shown, the newest.
    package static let mostCorrections = 200

    package let run, title: String
    /// A `RunState`.
    package let state: String?
    package let start, end: Int64
    /// Time of this state.
    package let time: Int64
    package let runners: Int
    /// Whether spectators see names.
    package let showsNames: Bool
    package var categories: [String] = []
    /// Nil without a course.
    package var line: Line?
    package var points: [Point] = []
    package internal(set) var standings: StandingsDocument
    package var places: [Place] = []
    package var vitals: [Vitals] = []
    /// The newest first.
    package var corrections: [Correction] = []
    /// Nil where the run is not underway, and for spectators.
    package var box: Box?
    package private(set) var next: Int?

    /// - Parameter standings: all rows.
    package init(_ run: Run, state: RunState?, at now: WallTime, _ standings: StandingsDocument) {
        (self.run, title, self.state) = (run.id.text, run.title, state?.rawValue)
        (start, end) = (run.start.millisecondsSince1970, run.end.millisecondsSince1970)
        (time, runners, showsNames) = (
            now.millisecondsSince1970, run.participants.count, run.audience.showsNames
        )
        self.standings = standings
    }

    /// One part of the document: the rows from a number on, within the limits, and the rest only at 0.
    package func part(from first: Int) -> RaceDocument {
        var part = self
        let start = min(max(first, 0), standings.rows.count)
        var (end, splits) = (start, 0)
        while end < standings.rows.count, end - start < Self.mostRows {
            splits += standings.rows[end].splits.count
            if splits > Self.mostSplits, end > start { break }
            end += 1
        }
        part.standings.rows = Array(standings.rows[start..<end])
        part.next = end < standings.rows.count ? end : nil
        let bibs = Set(part.standings.rows.map(\.bib))
        part.places = places.filter { bibs.contains($0.bib) }
        part.vitals = vitals.filter { bibs.contains($0.bib) }
        if start > 0 {
            (part.line, part.points, part.categories) = (nil, [], [])
            (part.corrections, part.box) = ([], nil)
        }
        return part
    }

    /// Joins the next part of the same document. A runner who has moved between the parts stays once.
    package mutating func join(_ other: RaceDocument) {
        let known = Set(standings.rows.map(\.bib))
        standings.rows += other.standings.rows.filter { !known.contains($0.bib) }
        places += other.places.filter { !known.contains($0.bib) }
        vitals += other.vitals.filter { !known.contains($0.bib) }
        next = other.next
    }

    /// Organisers see all of it.
    package func seen(by session: ControlSession) -> RaceDocument {
        session.role == .organiser ? self : forSpectators
    }

    /// The document for spectators: names only where the run shows them, and nothing of the box.
    package var forSpectators: RaceDocument {
        var document = self
        (document.box, document.corrections) = (nil, [])
        for index in document.points.indices { document.points[index].box = nil }
        for row in document.standings.rows.indices {
            if !showsNames { document.standings.rows[row].name = nil }
            for split in document.standings.rows[row].splits.indices {
                document.standings.rows[row].splits[split].passing = nil
            }
        }
        return document
    }
}
