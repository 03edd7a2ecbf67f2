import Desk
import GatewayModel
import Testing

@Suite struct `The words of a cause` {
    @Test func `a value has the decimal mark of the language and the unit that people read`() {
        #expect(CauseWords(.italian).figure(38.94, "Cel", kind: "body-temperature") == "38,9 °C")
        #expect(CauseWords(.english).figure(38.94, "Cel", kind: "body-temperature") == "38.9 °C")
        #expect(CauseWords(.italian).figure(152, "/min", kind: "heart-rate") == "152 bpm")
        // Of a kind that this program does not know, the unit of the message.
        #expect(CauseWords(.italian).figure(0.5, "g", kind: "shake") == "0,5 g")
    }

    @Test func `a limit has its kind and side in the language, and an unknown rule stays as it is`() {
        #expect(CauseWords(.italian).title(ofRule: "heart-rate-high-warning") == "Frequenza cardiaca: alto")
        #expect(CauseWords(.english).title(ofRule: "sos-button") == "Call for help")
        #expect(CauseWords(.italian).title(ofRule: "new-rule") == "new-rule")
    }
}
