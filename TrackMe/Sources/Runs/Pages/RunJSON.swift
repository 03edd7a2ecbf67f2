import Contract
import GatewayModel
import RunBeacon
import Store
import WebPages

/// Runs as JSON (`docs/api/openapi.yaml`).
enum RunJSON {
    static func text(_ run: OrganisedRun, _ now: WallTime) -> String { "{\(members(run, now))}" }

    private static func members(_ run: OrganisedRun, _ now: WallTime) -> String {
        #""end":"\#(run.definition.outline.end.rfc3339)","participants":\#(run.participants),"#
            + #""run":"\#(run.id)","start":"\#(run.definition.start.rfc3339)","#
            + #""state":"\#(run.state(at: now).rawValue)","title":\#(JSONText.quoted(run.definition.outline.title))"#
    }

    /// A run from the view of an account.
    static func text(_ own: OwnRun, _ now: WallTime) -> String {
        let role = own.role.map { #","role":"\#($0.rawValue)""# } ?? ""
        return "{\(members(own.run, now))\(role)" + (own.bib.map { #","bib":\#($0)"# } ?? "") + "}"
    }

    /// A run as its organisers see it.
    static func text(_ managed: RunView.Managed, _ now: WallTime) -> String {
        let (definition, outline) = (managed.run.definition, managed.run.definition.outline)
        var course = ""
        if case .line(let line)? = outline.course { course = #","course":\#(JSONText.quoted(line.text))"# }
        let boxes = managed.boxes.map { JSONText.quoted($0.text) }.joined(separator: ",")
        let commands = managed.commands.map { command in
            #"{"asked":"\#(command.asked.rfc3339)","box":"\#(command.gateway)""#
                + (command.reason.map { #","reason":\#(JSONText.quoted($0))"# } ?? "")
                + #","state":"\#(command.state.rawValue)","type":"\#(command.type)"}"#
        }
        return "{\(members(managed.run, now))" + #","boxes":[\#(boxes)],"checkpoints":["#
            + outline.checkpoints.map(text).joined(separator: ",") + #"],"commands":["#
            + commands.joined(separator: ",") + "]" + course
            + #","description":\#(JSONText.quoted(definition.description)),"most":\#(definition.most),"organisers":["#
            + managed.organisers.map { #"{"role":"\#($1.rawValue)","user":\#(JSONText.quoted($0))}"# }
            .joined(separator: ",")
            + #"],"role":"\#(managed.role.rawValue)","version":\#(managed.run.version),"waves":["#
            + outline.waves.map { #"{"id":"\#($0.id)","start":"\#($0.start.rfc3339)"}"# }.joined(separator: ",")
            + "]}"
    }

    private static func text(_ point: Checkpoint) -> String {
        let distances = point.distances.map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }
        return (point.box.map { #"{"box":"\#($0)","# } ?? "{")
            + #""distances_m":[\#(distances.joined(separator: ","))],"finish":\#(point.isFinish),"id":"\#(point.id)"}"#
    }

    /// A participant as the organisers see her.
    static func text(_ participant: RunParticipant) -> String {
        let entrant = participant.entrant
        func member(_ name: String, _ text: String?) -> String {
            text.map { #","\#(name)":\#(JSONText.quoted($0))"# } ?? ""
        }
        let tags = entrant.tags.map { JSONText.quoted($0.description) }.joined(separator: ",")
        return #"{"bib":\#(entrant.bib)"# + member("carries", entrant.carries?.text)
            + member("category", entrant.category) + member("name", entrant.name)
            + #","own":\#(participant.account != nil),"shows_name":\#(participant.showsName),"tags":[\#(tags)]"#
            + member("wave", entrant.wave?.text) + "}"
    }
}
