import ContractReading
import Foundation
public import GatewayModel
import RunBeacon
public import SQLDatabase
public import Store

/// Messages of runs, in the transactions of the intake.
extension RunStore {
    /// - Parameter onChange: called with a run whose pages change, and whether something must be gone from them at once.
    /// - Returns: the reason for which a message is not kept.
    public static func receive(
        _ event: RunEvent, _ db: Database,
        onChange: (_ run: RunID, _ isWithdrawal: Bool) throws -> Void = { _, _ in }
    ) throws -> DeadLetter.Reason? {
        switch event {
        case .answer(let answer):
            try db.execute(
                sql:
                    "UPDATE run_command SET state = ?, reason = ? WHERE id = ? AND gateway = ? AND state <> 'done'",
                arguments: [
                    (answer.refusal == nil ? CommandState.done : .refused).rawValue,
                    answer.refusal.map { String($0.prefix(64)) }, answer.command, answer.gateway.text,
                ])
            try SharingRows.apply(answer, db)
            return nil
        case .vital(let vital): return try SharingRows.keep(vital, db) ? nil : .noGrant
        case .decision(let decision):
            if let run = try SharingRows.apply(decision, db) { try onChange(run, true) }
            return nil
        case .message(let report):
            let refusal = try receive(report, db)
            if refusal == nil { try onChange(report.run, report.endsEnrolment) }
            return refusal
        }
    }

    private static func receive(_ report: RunReport, _ db: Database) throws -> DeadLetter.Reason? {
        let (run, gateway, bib) = (report.run.text, report.gateway.text, report.bib.number)
        guard
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT outline, since FROM run JOIN run_box ON run_box.run = run.id AND gateway = ? AND run_box.gone = 0
                    JOIN run_participant ON run_participant.run = run.id AND bib = ? AND run_participant.gone = 0
                        AND (own = 0 OR account IS NOT NULL)
                    WHERE run.id = ? AND cancelled = 0
                    """, arguments: [gateway, bib, run])
        else { return .noRun }
        let payload = Data(report.payload)
        switch report.message {
        case .passing(let passing):
            guard try stands(report, at: passing, try read(RunOutline.self, row["outline"])) else {
                return .noRun
            }
            try db.execute(
                sql: """
                    INSERT INTO run_passing (run, id, bib, gateway, payload) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (run, id) DO NOTHING
                    """, arguments: [run, Data(passing.id.bytes), bib, gateway, payload])
        case .correction(let correction):
            try db.execute(
                sql: """
                    INSERT INTO run_correction (run, id, bib, gateway, payload) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (run, id) DO NOTHING
                    """, arguments: [run, Data(correction.id.bytes), bib, gateway, payload])
        case .position(let position):
            try db.execute(
                sql: """
                    INSERT INTO run_position (run, bib, measured, gateway, payload) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (run, bib) DO UPDATE SET measured = excluded.measured, gateway = excluded.gateway,
                        payload = excluded.payload WHERE excluded.measured > run_position.measured
                    """,
                arguments: [run, bib, position.measured.millisecondsSince1970, gateway, payload])
        case .news(let news):
            let lost: Int64?
            switch news.event {
            case .trackerLost(let last): lost = last.millisecondsSince1970
            case .trackerBack: lost = nil
            case .left:
                // Of an enrolment before the present one it says nothing.
                if news.time.millisecondsSince1970 >= row["since"] as Int64 {
                    try end(bib, of: run, at: news.time, db)
                }
                return nil
            case .overdue, .found, .other: return nil
            }
            try db.execute(
                sql: """
                    INSERT INTO run_tracker (run, bib, time, lost) VALUES (?, ?, ?, ?)
                    ON CONFLICT (run, bib) DO UPDATE SET time = excluded.time, lost = excluded.lost
                        WHERE excluded.time >= run_tracker.time
                    """, arguments: [run, bib, news.time.millisecondsSince1970, lost])
        }
        return nil
    }

    /// A box times the runners at its own checkpoint. Passings by positions come from the boxes that read receivers.
    private static func stands(
        _ report: RunReport, at passing: PassingRecord, _ outline: RunOutline
    ) throws -> Bool {
        guard let checkpoint = outline.checkpoints.first(where: { $0.id == passing.checkpoint }) else {
            return false
        }
        return passing.method == Passing.Method.gpsLine.rawValue || checkpoint.box == nil
            || checkpoint.box == report.gateway
    }
}
