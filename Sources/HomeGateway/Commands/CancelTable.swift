import GatewayModel
import SOSLocal
import Settings

/// How an alarm of a person can be cancelled in the house, as `homegateway check` shows it. Pure.
struct CancelTable {
    let person: GatewaySettings.Person
    let wearables: [GatewaySettings.Wearable]
    let button: GatewaySettings.House.Button?

    var line: String {
        let allowed = person.plan.mayEnd
        var ways: [String] = allowed.contains(.commandLine) ? ["homegateway abort"] : []
        if button != nil, allowed.contains(.button) { ways.append("the button of the box") }
        let worn = wearables.filter { $0.person == person.id && !$0.signals.cancels.isEmpty }
        ways += worn.map { "\($0.id) (\($0.signals.cancels.joined(separator: ", ")))" }
        guard allowed.contains(.wearable) || worn.isEmpty else {
            return
                "cancelled by: \(worn.map(\.id.text).joined(separator: ", ")) CANNOT, although their signals say "
                + "so: may_end does not name \"wearable\""
        }
        return "cancelled by: " + (ways.isEmpty ? "nothing in the house" : ways.joined(separator: "; "))
    }
}
