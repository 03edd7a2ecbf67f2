import Accounts
import Contract
import GatewayModel
import PageSecurity
import RunBeacon
import RunFiles
import SettingsReading
import WebPages

/// Values of the forms of runs.
enum RunForms {
    static func definition(_ entry: RunEntry, of id: RunID) throws -> RunDefinition {
        guard let end = WallTime(rfc3339: entry.end) else { throw RunFault.end }
        guard let most = Int(entry.most) else { throw RunFault.most }
        return try RunDefinition(
            id: id, description: entry.description,
            outline: RunOutline(
                title: entry.title, end: end, waves: try RunText.waves(entry.waves),
                checkpoints: try RunText.checkpoints(entry.checkpoints), course: try course(entry.course)),
            most: most)
    }

    /// Text of a GPX file, or an encoded polyline; nil for an empty text.
    static func course(_ text: String) throws(RunFault) -> PlannedCourse? {
        let text = text.trimmingPrefix { $0.isWhitespace }
        guard !text.isEmpty else { return nil }
        guard text.hasPrefix("<") else { return .line(try CoursePolyline.line(String(text))) }
        let course: Course
        do throws(SettingsError) {
            course = try CourseFile(bytes: Array(text.utf8), path: "GPX").course
        } catch {
            throw .course("\(error)")
        }
        return .line(try CoursePolyline.line(of: course))
    }

    static func user(_ context: RouteContext) throws -> UserName {
        guard let user = UserName(context.form["user"] ?? "") else { throw RunActRefusal.unknownUser }
        return user
    }

    /// - Parameter account: of a runner that enrols herself.
    static func participant(_ form: FormFields, of account: AccountID?) throws(RunFault) -> RunParticipant {
        func text(_ name: String) -> String? { form[name].flatMap { $0.isEmpty ? nil : $0 } }
        return try participant(
            bib: Int(form["bib"] ?? "") ?? 0, name: text("name"), category: text("category"),
            wave: text("wave"), tags: text("tag").map { [$0] } ?? [], carries: text("carries"),
            showsName: form["shows"] == "yes", of: account)
    }

    static func participant(
        bib number: Int, name: String?, category: String?, wave: String?, tags: [String], carries: String?,
        showsName: Bool, of account: AccountID?
    ) throws(RunFault) -> RunParticipant {
        func checked(_ text: String?, _ range: ClosedRange<Int>, _ fault: RunFault) throws(RunFault) -> String?
        {
            guard let text else { return nil }
            let isClean = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            guard range.contains(text.count), isClean else { throw fault }
            return text
        }
        guard let bib = Bib(number) else { throw .bib }
        var names: [TagName] = []
        for tag in tags {
            do throws(TagIdentity.Flaw) { names.append(try TagName(tag)) } catch { throw .tag }
        }
        let (group, box) = (wave.map { WaveID($0) }, carries.map { GatewayID($0) })
        if case .some(nil) = group { throw .wave }
        if case .some(nil) = box { throw .box }
        guard !names.isEmpty || box != nil else { throw .noTracker }
        return RunParticipant(
            entrant: Entrant(
                bib: bib, name: try checked(name, Entrant.nameLength, .name),
                category: try checked(category, Entrant.categoryLength, .category), wave: group ?? nil,
                tags: names, carries: box ?? nil),
            account: account, showsName: showsName)
    }
}
