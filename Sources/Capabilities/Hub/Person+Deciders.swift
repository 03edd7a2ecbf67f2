package import Consent
import GatewayModel
package import Settings

extension GatewaySettings.Person {
    /// Those who decide for the person, by the names in the settings: a name that the person chose to be shown gives no
    /// right.
    package var deciders: Deciders { Deciders(own: [id.text, name], named: decidedBy) }

    /// Policies that the settings say the person has accepted.
    package var agreements: Set<ConsentSubject> {
        let words = [
            (ConsentSubject.dataPolicy, dataPolicy), (.automatedSOS, automatedSOS),
            (.homeDashboard, homeDashboard),
        ]
        return Set(words.filter { $0.1 == .accepted }.map(\.0))
    }
}
