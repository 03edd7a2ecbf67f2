import GatewayModel
import Store

// Remedies are in the English of the gateway.
extension Text {
    static let boxes = Text(en: "Boxes", it: "Centraline")
    static let box = Text(en: "Box", it: "Centralina")
    static let setHeartbeat = Text(
        en: "How often the box tells that it is there",
        it: "Quanto spesso la centralina dice di esserci")
    static let add = Text(en: "Add a box", it: "Aggiungi una centralina")
    static let remove = Text(en: "Take the box out of the fleet", it: "Togli la centralina dalla flotta")
}
