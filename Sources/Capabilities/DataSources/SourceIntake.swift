import GatewayModel
import Hub
import Observations
import Readings
import RealTime
import Settings

/// Takes the entries of one source: judges each, and hands new readings on. Used by one thread.
struct SourceIntake {
    let settings: GatewaySettings.Source
    private let rules: ObservationRules
    private let pipeline: ReadingPipeline
    private let board: SourceBoard
    private(set) var recent: RecentEntries
    /// Marks were added since `seen` has them.
    private var isChanged = false

    init(
        _ settings: GatewaySettings.Source, in house: GatewaySettings, pipeline: ReadingPipeline,
        board: SourceBoard, marks: [UInt64]
    ) {
        (self.settings, self.pipeline, self.board) = (settings, pipeline, board)
        recent = RecentEntries(marks)
        rules = ObservationRules(
            gateway: house.gateway.id, source: settings.id, person: settings.person, kinds: settings.kinds,
            others: Set(house.persons.map(\.id)).subtracting([settings.person]))
    }

    /// Judges an entry, and hands over those of its readings that have not come before.
    ///
    /// - Parameter place: of the entry, for the status.
    /// - Returns: the IDs of all its readings.
    mutating func take(
        _ entry: Result<ObservationEntry, ObservationFault>, at place: String
    ) -> Result<[MessageID], ObservationFault> {
        let now = Clock.moment()
        do throws(ObservationFault) {
            let readings = try rules.readings(of: try entry.get(), at: now)
            var taken = 0
            for reading in readings where recent.insert(reading.id) {
                pipeline.consume(ofProgram: reading, isJudged: settings.countsForSOS)
                taken += 1
                isChanged = true
            }
            board.recordTaken(taken, known: readings.count - taken, of: settings.id, at: now.wall)
            return .success(readings.map(\.id))
        } catch {
            refuse(error, at: place)
            return .failure(error)
        }
    }

    func refuse(_ fault: ObservationFault, at place: String) {
        board.recordRefusal("\(place): \(fault)", of: settings.id, at: Clock.wall())
    }

    /// Notes the marks of the entries that were handed over since the last call.
    mutating func note(in seen: SeenRecords) {
        guard isChanged else { return }
        seen.note(recent.marks, of: settings.id)
        isChanged = false
    }

    /// Forgets which entries have come.
    mutating func forget(in seen: SeenRecords) {
        recent = RecentEntries([])
        isChanged = true
        note(in: seen)
    }
}
