import CloudCommands
import GatewayModel
import Hub
import RealTime
import RunBeacon
import Settings

// What signed commands ask of the runs.
extension Gateway {
    /// Reads keys and a course, writes two files.
    private static let longestErrand = Duration.seconds(5)

    func carryOut(_ order: RunOrder, _ disk: PatientDisk) async -> CommandBook.Outcome {
        if case .leave(let run, let bibs) = order { return await leave(run, bibs, disk) }
        guard
            !order.entrants.contains(where: {
                $0.carries != nil && $0.carries == settings.boxKeptFromCommands
            })
        else {
            return .refused(
                CommandRefusal(
                    .notAllowed,
                    "carries: this box tells its position by command where its settings allow that: carried_by_command "
                        + "of [race]"))
        }
        let result = await disk.perform(within: Self.longestErrand) { [runs] in
            Result { () throws(RunRefusal) in try runs.perform(order, at: Clock.wall()) }
        }
        switch result {
        case .success(let isChanged?)?: return runs.book.outcome(of: order.run, isChanged: isChanged)
        case .success(nil)?:
            return .refused(CommandRefusal(.notKept, "the disk does not take it: ask anew later"))
        case .failure(let refusal)?: return .refused(CommandRefusal(refusal))
        case nil:
            return .refused(CommandRefusal(.notKept, "the disk does not answer; it may still be done"))
        }
    }

    /// It holds before the disk is asked: nobody who has left is timed because a disk is slow.
    private func leave(_ run: RunID, _ bibs: [Bib], _ disk: PatientDisk) async -> CommandBook.Outcome {
        let isChanged: Bool
        do throws(RunRefusal) {
            isChanged = try runs.leave(run, bibs, at: Clock.wall())
        } catch {
            return .refused(CommandRefusal(error))
        }
        let isKept = await disk.perform { [runs] in runs.keep() }
        guard isKept == true else {
            return .done("it holds; IT IS NOT WRITTEN DOWN yet, for the disk does not take it")
        }
        return runs.book.outcome(of: run, isChanged: isChanged)
    }
}

extension CommandRefusal {
    fileprivate init(_ refusal: RunRefusal) {
        self.init(Reason(rawValue: refusal.code) ?? .notPossible, "\(refusal)")
    }
}

extension RunBook {
    /// What has become of the run, for whoever asked: `milan: underway, 199 runners`. Names nobody.
    fileprivate func outcome(of run: RunID, isChanged: Bool) -> CommandBook.Outcome {
        guard isChanged else { return .done("it is so already") }
        guard let found = runs[run], let state = state(of: run, at: Clock.wall()) else {
            return .done("\(run): its file is gone, \(enrolments[run]?.count ?? 0) runners were in it")
        }
        let about = doubts.filter { $0.concerns(run) }.map { "; \($0)" }.joined()
        return .done("\(run): \(state.rawValue), \(found.participants.count) runners\(about)")
    }
}
