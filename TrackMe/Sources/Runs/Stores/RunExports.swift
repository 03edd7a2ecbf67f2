public import Store

/// Lists of an export about the runs of an account, and about the sharings of a person.
extension RunStore {
    public static let exports = [
        ExportList(
            "organised_runs", of: .account, tables: ["run_organiser"], [.text("run"), .text("role")],
            "FROM run_organiser WHERE account = :account ORDER BY run"),
        ExportList(
            "enrolments", of: .account, tables: ["run_participant"],
            [
                .text("run"), .number("bib"), .json("runner", "entrant"), .flag("shows_name", "shows"),
                .time("since"),
            ], "FROM run_participant WHERE account = :account AND gone = 0 ORDER BY run"),
        messages("passings", in: "run_passing", by: "id"),
        messages("corrections", in: "run_correction", by: "id"),
        messages("positions", in: "run_position", by: "bib"),
        ExportList(
            "trackers", of: .account, tables: ["run_tracker"],
            [
                .text("run", "run_tracker.run"), .number("bib", "run_tracker.bib"), .time("time"),
                .time("lost_since", "lost"),
            ], "FROM run_tracker \(ofTheAccount("run_tracker")) ORDER BY run_tracker.run"),
        SharingRows.export, SharingRows.vitals,
    ]

    /// Messages of boxes about the runners of the account, as they came.
    private static func messages(_ name: String, in table: String, by key: String) -> ExportList {
        ExportList(
            name, of: .account, tables: [table],
            [.text("run", "\(table).run"), .text("box", "\(table).gateway"), .json("message", "payload")],
            "FROM \(table) \(ofTheAccount(table)) ORDER BY \(table).run, \(table).\(key)")
    }

    private static func ofTheAccount(_ table: String) -> String {
        """
        JOIN run_participant ON run_participant.run = \(table).run AND run_participant.bib = \(table).bib
            AND run_participant.gone = 0 AND run_participant.account = :account
        """
    }
}
