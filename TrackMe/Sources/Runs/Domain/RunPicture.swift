import ContractReading
public import GatewayModel
public import RunBeacon

/// A run as spectators see it at one time: standings, and places on the course. Pure.
public struct RunPicture: Sendable {
    /// Place of a runner: measured, or projected by the pace of the last leg.
    public struct Place: Hashable, Sendable {
        public let isLocated: Bool
        /// Metres from the start.
        public let distance: Double
        /// Nil without a course.
        public let point: CourseShape.Point?
        /// Next point, with the expected time there and its error bound.
        public let next: String?
        public let expected: WallTime?
        public let bound: Duration?
    }

    public let run: Run
    public let points: [RunPoint]
    public let rows: [Standing]
    /// Nil without a course.
    public let shape: CourseShape?
    /// A runner off the course has no place.
    public let places: [Bib: Place]
    /// Last position of each runner whose tracker is lost.
    public let lost: [Bib: WallTime]
    /// Readings of the runners with a grant: those of the last minutes, on the course.
    public let vitals: [Bib: [RunnerVital]]

    /// - Parameters:
    ///   - run: its participants have the names alone that the public may see.
    ///   - shape: of the run's course; made once for each course.
    public init(_ run: Run, shape: CourseShape?, _ messages: RunMessages, at now: WallTime) {
        (self.run, self.shape, lost) = (run, shape, messages.lost)
        var standings = Standings(run)
        var passings = messages.passings.map(Passing.init)
        var marks: [Bib: (at: WallTime, mark: RaceCorrection.Mark)] = [:]
        // Corrections are numbered by box.
        for (_, records) in Dictionary(grouping: messages.corrections, by: \.box) {
            let corrections = RaceCorrections(records.compactMap(RaceCorrection.init))
            passings = corrections.corrected(passings, of: run)
            for (bib, mark) in corrections.marks {
                let at = records.filter { $0.bib == bib }.map(\.time).max() ?? run.start
                if marks[bib].map({ $0.at < at }) ?? true { marks[bib] = (at, mark) }
            }
        }
        for passing in passings { standings.add(passing) }
        for (bib, mark) in marks { standings.mark(bib, as: mark.mark) }
        points = standings.points
        rows = standings.table()
        places = Self.places(rows, standings.points, shape, messages.positions, at: now)
        let onCourse = Set(rows.filter { $0.state == .running || $0.state == .expected }.map(\.bib))
        let oldest = now.advanced(by: .zero - RunnerVital.life)
        vitals =
            now < run.start || now >= run.end
            ? [:]
            : messages.vitals.filter { onCourse.contains($0.key) }
                .mapValues { $0.filter { $0.time >= oldest } }.filter { !$0.value.isEmpty }
    }

    private static func places(
        _ rows: [Standing], _ points: [RunPoint], _ shape: CourseShape?,
        _ positions: [ContractReading.RunnerPosition],
        at now: WallTime
    ) -> [Bib: Place] {
        let measured = Dictionary(positions.map { ($0.bib, $0) }) { $0.measured > $1.measured ? $0 : $1 }
        var places: [Bib: Place] = [:]
        for row in rows where row.state == .running || row.state == .expected {
            let passed = row.splits.last
            if let position = measured[row.bib], position.measured >= passed?.time ?? position.measured {
                guard let distance = position.distanceMetres else { continue }
                let next = points.first { $0.checkpoint == position.nextCheckpoint && $0.distance > distance }
                places[row.bib] = Place(
                    isLocated: true, distance: distance, point: shape?.place(at: distance),
                    next: next?.name(among: points), expected: next == nil ? nil : position.predicted,
                    bound: position.predictedBoundSeconds.map { .seconds(max(0, min($0, 86_400))) })
            } else if let projection = SplitProjection(of: row, points: points, at: now) {
                places[row.bib] = Place(
                    isLocated: false, distance: projection.distance,
                    point: shape?.place(at: projection.distance),
                    next: projection.next.name(among: points), expected: projection.expected,
                    bound: projection.bound)
            }
        }
        return places
    }
}

extension Passing {
    fileprivate init(_ record: PassingRecord) {
        self.init(
            id: record.id, run: record.run, checkpoint: record.checkpoint, gateway: record.box,
            bib: record.bib,
            order: record.order, time: record.time, first: record.first, last: record.last,
            clock: ClockState(
                source: ClockSource(rawValue: record.clock) ?? .freeRunning, bound: record.clockBound),
            bound: record.bound, hits: record.hits, strongest: Int8(clamping: record.rssi),
            // A newer method ranks as positions do: last.
            method: Method(rawValue: record.method) ?? .gpsLine,
            flags: Set(record.flags.compactMap(Flag.init)))
    }
}

extension RaceCorrection {
    /// Nil for an act of a newer box.
    fileprivate init?(_ record: CorrectionRecord) {
        let act: Act
        switch record.act {
        case .add(_, let checkpoint, let order, let time, let bound):
            let (seconds, rest) = bound.components
            act = .add(
                checkpoint, order: order, time: time, bound: seconds * 1_000 + rest / 1_000_000_000_000_000)
        case .strike(let passing): act = .strike(passing)
        case .didNotStart: act = .mark(.didNotStart)
        case .didNotFinish: act = .mark(.didNotFinish)
        case .disqualified: act = .mark(.disqualified)
        case .undo(let number): act = .undo(number)
        case .other: return nil
        }
        self.init(
            number: record.number, run: record.run, bib: record.bib, act: act, by: "", at: record.time,
            reason: "")
    }
}
