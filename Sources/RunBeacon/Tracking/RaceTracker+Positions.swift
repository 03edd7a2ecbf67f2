import GatewayModel

/// What a position brings about.
public struct RunnersLocated: Sendable {
    /// To be told.
    public var positions: [(owner: Enrolment, position: RunnerPosition)] = []
    /// At the checkpoints between the position before and this one.
    public var passings: [RecordedPassing] = []

    public init(
        positions: [(owner: Enrolment, position: RunnerPosition)] = [], passings: [RecordedPassing] = []
    ) {
        (self.positions, self.passings) = (positions, passings)
    }
}

extension RaceTracker {
    /// A position of whoever runs in a run that is underway; anybody else's is not looked at.
    public mutating func locate(_ report: PositionReport, of bearer: PositionBearer) -> RunnersLocated {
        guard positions.bearers.contains(bearer) else { return RunnersLocated() }
        return located(positions.take(report.dated(by: clock), of: bearer))
    }

    /// What would bring a runner's positions does not know where it is.
    public mutating func lose(_ bearer: PositionBearer) { positions.lose(bearer) }

    /// Where the tag of a runner says that it is, if it does (Remote ID).
    public mutating func locate(_ advert: Recogniser.Advert) -> RunnersLocated {
        guard let (tag, told, heard) = table.location(in: advert), positions.isNews(told, of: tag),
            let coordinates = Coordinates(latitude: told.latitude, longitude: told.longitude)
        else { return RunnersLocated() }
        let arrival = Moment(boot: heard, wall: clock.time(of: heard).time)
        let sourceTime = told.timeInHour.map {
            $0.time(near: arrival.wall, aheadBy: clock.isSet ? Self.mostAhead : Self.halfAnHour)
        }
        let report = PositionReport(
            coordinates: coordinates, accuracy: told.horizontalAccuracy, source: DeviceID("tag-\(tag)"),
            sourceTime: sourceTime, age: age(of: sourceTime, at: arrival.wall), arrival: arrival)
        return located(positions.take(report, of: table.owners(of: tag)))
    }

    /// Where both know the time, a tag's cannot be ahead, but for what the two are off by.
    private static var mostAhead: Duration { .seconds(60) }
    /// Else the nearest hour is as good as any.
    private static var halfAnHour: Duration { .seconds(1_800) }

    /// Of what is so old that it is no place of now: a recording, or the last fix of a receiver that has lost the sky. Of
    /// anything newer the arrival dates it as well as the tag's own time does.
    private func age(of sourceTime: WallTime?, at arrival: WallTime) -> Duration {
        guard clock.isSet, let age = sourceTime?.duration(to: arrival), age > TrackRules().oldest else {
            return .zero
        }
        return age
    }

    private func located(_ all: [PositionTracker.Found]) -> RunnersLocated {
        var located = RunnersLocated()
        for found in all {
            if found.isToTell {
                var position = found.position
                if !clock.isSet { position.flags.insert(.clockUnset) }
                located.positions.append((owner: found.owner, position: position))
            }
            located.passings += found.crossings.map { passing(of: $0, by: found.owner) }
        }
        return located
    }

    private func passing(of crossing: LineCrossing, by owner: Enrolment) -> RecordedPassing {
        let instant = crossing.at.boot
        let passing = crossing.passing(
            id: makeID(crossing.time), run: owner.run, bib: owner.bib, gateway: timers.gateway,
            clock: clock.time(of: instant).clock, marks: clock.flags(from: instant, to: instant))
        return RecordedPassing(
            passing, boot: boot, nearest: instant, first: instant, last: instant, passageBound: crossing.bound)
    }
}

extension UInt16 {
    /// Tenths of a second since a full hour, of the last hour in which that is ahead of `wall` by no more than `limit`.
    fileprivate func time(near wall: WallTime, aheadBy limit: Duration) -> WallTime {
        let hour: Int64 = 3_600_000
        let now = wall.millisecondsSince1970
        let inHour = now - now % hour + Int64(self) * 100
        let ahead = inHour - now
        let limit = limit.wholeMilliseconds
        return WallTime(
            millisecondsSince1970: ahead > limit
                ? inHour - hour : ahead <= limit - hour ? inHour + hour : inHour)
    }
}
